/// The words that the features of blocks are based on.
///
/// The decision trees were trained with exactly these words. After a change, run
/// `scripts/content-model`; a test checks that (`BlockFeatures.fingerprint`).
extension Vocabulary {
  /// Words of `class`, `id`, `role` and `itemprop` by topic, in the singular.
  static let topics: [(BlockTopic, StaticString)] = [
    (
      .menuWord,
      "nav navbar navigation menu submenu subnav topnav megamenu navlink offcanvas drawer mainnav sitenav menubar menuitem hamburger"
    ),
    (.headerWord, "header masthead topbar banner head siteheader pageheader"),
    (.footerWord, "footer colophon foot bottombar sitefooter subfooter pagefooter contentinfo"),
    (.sidebarWord, "sidebar aside rail sidenav secondary complementary leftnav rightnav side"),
    (.tocWord, "toc tableofcontents outline onthispage jumplink anchors scrollspy"),
    (.breadcrumbWord, "breadcrumb crumb breadcrumblist"),
    (
      .relatedWord,
      "related recommend recommended recommendation similar suggested suggestion upsell crosssell cross recirc outbrain taboola trending popular recently recent more also upnext"
    ),
    (
      .shareWord,
      "share sharing social addthis sharethis facebook twitter whatsapp linkedin pinterest instagram"
    ),
    (.commentWord, "comment disqus reply replies respond discussion"),
    (
      .adWord,
      "ad ads advert advertisement advertising sponsor sponsored adsense dfp gpt promoted adslot"
    ),
    (.promoWord, "promo promotion promotional offer cta callout teaser upgrade deal usp"),
    (.cookieWord, "cookie consent gdpr onetrust privacy ccpa"),
    (
      .popupWord,
      "modal popup popover overlay lightbox dialog tooltip dropdown flyout toast snackbar alertdialog"
    ),
    (.newsletterWord, "newsletter subscribe subscription signup mailchimp klaviyo optin mailing"),
    (.loginWord, "login signin account register registration auth logout"),
    (.searchWord, "search searchbox searchbar autocomplete typeahead"),
    (.formWord, "form input field fieldset select checkbox radio label btn submit wpforms"),
    (
      .hiddenWord,
      "hidden visuallyhidden sr hide invisible offscreen screenreader collapsed collapse visually assistive skip"
    ),
    (
      .bodyWord,
      "content contents body richtext rte wysiwyg copy markdown prose text txt bodytext articlebody"
    ),
    (.mainWord, "main primary maincontent page"),
    (.articleWord, "article story entry blog news"),
    (.postWord, "post message msg thread topic cooked postbody topicpost commentbody answer"),
    (
      .authorWord,
      "author byline writer user username hnuser avatar profile member poster creator person"
    ),
    (.dateWord, "date time datetime timestamp published updated posted timeago ago age"),
    (.tagWord, "tag category categories chip badge keyword hashtag"),
    (.titleWord, "title headline heading subtitle name subheading hed caption"),
    (
      .descriptionWord,
      "description desc descr summary excerpt dek intro lead abstract overview about detail"
    ),
    (.productWord, "product pdp sku merchandise prod plp"),
    (.priceWord, "price pricing cost amount money currency discount savings"),
    (
      .cartWord,
      "cart basket checkout bag addtocart atc buy purchase buybox quantity qty wishlist minicart addtobasket payment shopping"
    ),
    (
      .reviewWord, "review rating star testimonial feedback yotpo bazaarvoice trustpilot reviewbody"
    ),
    (
      .specificationWord,
      "spec specification attribute feature technical benefit ingredient property properties nutrition"
    ),
    (.variantWord, "variant variation swatch swatches option size color colour selector"),
    (
      .galleryWord,
      "gallery carousel slider slide slideshow swiper slick thumb thumbnail image img media video photo picture glide splide"
    ),
    (
      .cardWord,
      "card tile item grid list listing result collection feed stream row itemlistelement gallery"
    ),
    (.filterWord, "filter facet refine refinement sort sorting sortby"),
    (.paginationWord, "pagination pager paginate paging pagenav next prev previous loadmore pages"),
    (.heroWord, "hero jumbotron splash"),
    (.questionWord, "faq accordion question expander"),
    (.tabWord, "tab tabpanel panel tablist pane"),
    (.deliveryWord, "shipping delivery return warranty stock availability pickup store"),
    (.widgetWord, "widget module block component"),
    (.signatureWord, "signature sig rank stats statistic reputation joined"),
    (.codeWord, "code highlight pre codehilite snippet sourcecode"),
    (.legalWord, "legal disclaimer copyright terms policy footnote"),
    (.countWord, "view like vote score count counter upvote points num number"),
    (.actionWord, "action toolbar tool control button link utility options edit print report"),
    (
      .noticeWord,
      "notice alert warning announcement notification message status error help support"
    ),
  ]

  /// Phrases that blocks of boilerplate begin with, by purpose.
  static let phrases: [(BlockPhrase, StaticString)] = [
    (
      .buy,
      """
      add to cart,add to basket,add to bag,add to wishlist,add to wish list,buy now,buy it now,\
      quantity,qty,select options,choose options,choose an option,checkout,view cart,your cart,\
      shopping cart,quick view,quick shop,quick buy,quick add,notify me,add to compare,compare,\
      save for later,shop now,order now,preorder,pre order,subtotal,add to registry,add to list,\
      view product,pick up today,in den warenkorb,zum warenkorb,warenkorb,jetzt kaufen,\
      auf die merkliste,menge,ajouter au panier,panier,acheter,quantité,añadir al carrito,comprar,\
      cantidad,aggiungi al carrello,carrello,acquista,quantità,adicionar ao carrinho,carrinho,\
      in winkelwagen,winkelwagen,bestellen,dodaj do koszyka,koszyk,lägg i varukorgen,læg i kurv,\
      В корзину,Купить,カートに入れ,加入购物车,장바구니,sepete ekle
      """
    ),
    (
      .follow,
      """
      read more,learn more,see more,view more,show more,load more,view all,see all,show all,\
      more info,more details,continue reading,see details,view details,get started,find out more,\
      discover more,explore,show less,read less,see less,back to top,go to,next,previous,\
      next page,previous page,click here,start free trial,start for free,try for free,book a demo,\
      request a demo,contact us,get a quote,contact sales,download now,watch video,try it free,\
      shop all,skip to,mehr lesen,weiterlesen,mehr erfahren,mehr anzeigen,alle anzeigen,mehr dazu,\
      zur startseite,nach oben,lire la suite,en savoir plus,voir plus,voir tout,afficher plus,\
      haut de page,leer más,ver más,ver todo,más información,sigue leyendo,leggi tutto,\
      leggi di più,continua a leggere,vedi tutti,scopri di più,ler mais,saiba mais,ver mais,\
      continue lendo,lees meer,lees verder,meer lezen,bekijk alles,czytaj więcej,czytaj dalej,\
      więcej,zobacz więcej,läs mer,visa mer,læs mere,se mere,les mer,lue lisää,číst dál,více,\
      devamını oku,daha fazla,Читать далее,Читать дальше,Подробнее,Ещё,Показать ещё,続きを読む,もっと見る,\
      阅读更多,查看更多,閱讀更多,더보기
      """
    ),
    (
      .related,
      """
      related,you may also like,you might also like,recommended,recommended for you,\
      recommended products,related products,related posts,related articles,related topics,\
      related content,customers also,frequently bought together,people also,similar items,\
      similar products,more from,more like this,more to explore,popular,trending,recently viewed,\
      most popular,most read,suggested,suggested topics,new related topics,also bought,\
      explore more,latest news,latest posts,recent posts,popular posts,read next,up next,\
      what to read next,sponsored,advertisement,hot network questions,linked,\
      explore related questions,topics with similar,keep reading,more information,other products,\
      pairs well with,complete the look,you'll also love,featured posts,top posts,more stories,\
      editors picks,see also,lesen sie auch,mehr zum thema,zum thema,das könnte sie auch,\
      das könnte dich auch,auch interessant,verwandte artikel,ähnliche artikel,ähnliche beiträge,\
      meistgelesen,empfehlungen,weitere artikel,weitere meldungen,siehe auch,mehr aus,\
      aus dem ressort,anzeige,werbung,à lire aussi,lire aussi,à voir aussi,sur le même sujet,\
      sur le même thème,articles similaires,articles liés,les plus lus,vous aimerez aussi,\
      dans la même rubrique,à découvrir,publicité,voir aussi,lee también,te puede interesar,\
      le puede interesar,noticias relacionadas,artículos relacionados,más leídas,lo más leído,\
      más noticias,publicidad,anuncio,leggi anche,potrebbe interessarti,ti potrebbe interessare,\
      articoli correlati,i più letti,pubblicità,leia também,leia mais,veja também,\
      notícias relacionadas,artigos relacionados,mais lidas,publicidade,lees ook,gerelateerd,\
      gerelateerde artikelen,meest gelezen,advertentie,zobacz także,zobacz też,czytaj także,\
      czytaj też,powiązane artykuły,najczęściej czytane,reklama,läs också,läs även,mest läst,\
      relaterade artiklar,annons,læs også,mest læste,annonce,les også,annonse,lue myös,luetuimmat,\
      mainos,čtěte také,související články,nejčtenější,ilgili haberler,reklam,Читайте также,\
      Читать также,Смотрите также,По теме,Материалы по теме,Похожие,Реклама,Популярное,関連記事,\
      あわせて読みた,おすすめ,人気記事,広告,スポンサー,相关阅读,相关文章,相关新闻,推荐阅读,延伸阅读,热门,广告,相關文章,延伸閱讀,相關新聞,관련 기사,관련기사,많이 본,광고
      """
    ),
    (
      .signIn,
      """
      sign in,log in,login,register,sign up,create account,create an account,my account,\
      forgot password,forgot your password,already have an account,join now,you must log in,\
      you must be logged,you need to be,join the conversation,log in to,sign in to,account,\
      join for free,log out,username,password,remember me,anmelden,einloggen,registrieren,\
      mein konto,passwort vergessen,jetzt anmelden,se connecter,connexion,s'inscrire,mon compte,\
      mot de passe,iniciar sesión,regístrate,registrarse,mi cuenta,contraseña,accedi,registrati,\
      il mio account,entrar,cadastre se,minha conta,inloggen,registreren,mijn account,zaloguj się,\
      zarejestruj się,logga in,log ind,logg inn,kirjaudu,přihlásit,giriş yap,Войти,Регистрация,\
      Вход,ログイン,新規登録,登录,注册,登入,로그인,회원가입
      """
    ),
    (
      .share,
      """
      share,share this,share on,tweet,facebook,twitter,pinterest,linkedin,instagram,youtube,\
      copy link,email,print,pin it,share link,follow us,follow,link to post,share to,\
      share article,tiktok,whatsapp,reddit,x,more sharing options,teilen,artikel teilen,\
      auf facebook teilen,drucken,per mail,folgen sie uns,link kopieren,partager,\
      partager cet article,partager sur,imprimer,suivez nous,copier le lien,compartir,\
      compartir en,imprimir,síguenos,condividi,stampa,seguici,compartilhar,compartilhe,siga nos,\
      delen,deel dit,deel dit artikel,volg ons,afdrukken,udostępnij,podziel się,drukuj,dela,\
      dela artikeln,del,del artiklen,jaa,sdílet,paylaş,Поделиться,Распечатать,Подписывайтесь,シェア,\
      シェアする,ツイート,印刷,分享,分享到,打印,공유,공유하기
      """
    ),
    (
      .cookies,
      """
      we use cookies,this website uses cookies,this site uses cookies,cookie,cookies,accept all,\
      accept cookies,accept,reject all,manage cookies,cookie settings,cookie policy,\
      cookie preferences,privacy policy,your privacy,privacy settings,manage preferences,\
      do not sell,strictly necessary cookies,wir verwenden cookies,\
      diese website verwendet cookies,alle akzeptieren,akzeptieren,datenschutz,\
      nous utilisons des cookies,tout accepter,accepter,tout refuser,utilizamos cookies,aceptar,\
      aceptar todo,política de cookies,utilizziamo i cookie,accetta,accetta tutti,rifiuta,\
      usamos cookies,aceitar,wij gebruiken cookies,accepteren,alles accepteren,akceptuję,\
      ta strona używa,vi använder cookies,acceptera,vi bruger cookies,Мы используем,Принять,すべて同意,\
      接受
      """
    ),
    (
      .subscribe,
      """
      subscribe,newsletter,sign up for,sign up to,subscribe to,email address,enter your email,\
      your email,get the latest,join our,get updates,stay in touch,stay up to date,stay connected,\
      be the first to,get our,subscribe now,never miss,newsletter abonnieren,jetzt abonnieren,\
      abonnieren,abonnieren sie,newsletter bestellen,ihre e mail,e mail adresse,s'abonner,\
      abonnez vous,inscrivez vous,votre adresse,votre email,recevez,je m'abonne,suscríbete,\
      suscribirse,suscripción,tu correo,recibe,boletín,iscriviti,abbonati,la tua email,\
      inscreva se,assine,receba,seu e mail,abonneer,schrijf je in,aanmelden,nieuwsbrief,\
      zapisz się,subskrybuj,prenumerera,nyhetsbrev,nyhedsbrev,tilaa,odebírat,abone ol,Подписаться,\
      Подпишитесь,Рассылка,メルマガ,購読,订阅,訂閱,구독
      """
    ),
    (
      .comments,
      """
      comments,leave a comment,leave a reply,post a comment,no comments,add a comment,add comment,\
      reply,quote,like,report,flag,replies,likes,views,view comments,show comments,\
      write a comment,join the discussion,0 comments,1 comment,improve this question,\
      improve this answer,share improve this,follow this question,edited,cite,reply to,\
      multi quote,upvote,thanks,reactions,reaction score,like this,log in to reply,post reply,\
      kommentare,kommentar schreiben,kommentieren,kommentar verfassen,antworten,melden,zitieren,\
      schreiben sie einen,commentaires,laisser un commentaire,commenter,répondre,signaler,réagir,\
      ajouter un commentaire,comentarios,deja un comentario,deja una respuesta,responder,comentar,\
      commenti,lascia un commento,rispondi,commenta,comentários,deixe um comentário,\
      deixe uma resposta,reacties,reageer,reageren,plaats een reactie,komentarze,dodaj komentarz,\
      skomentuj,odpowiedz,kommentarer,kommentera,svara,svar,kommentér,kommentit,komentáře,\
      yorumlar,yorum yap,Комментарии,Комментировать,Оставить комментарий,Ответить,コメント,返信,评论,发表评论,\
      回复,留言,댓글
      """
    ),
    (
      .listControls,
      """
      sort by,sort,filter,filters,filter by,refine by,clear all,show filters,apply,reset,\
      items per page,results,showing,page,view as,categories,category,brand,price,size,color,\
      colour,availability,apply filters,all filters,refine,search,close,menu,home,open menu,\
      toggle navigation,main menu,back,cancel,select,search for,navigation,sortieren,\
      sortieren nach,filtern,suche,suchen,schließen,menü,startseite,zurück,trier par,filtrer,\
      rechercher,recherche,fermer,accueil,retour,ordenar por,buscar,cerrar,inicio,volver,menú,\
      ordina per,cerca,chiudi,ricerca,fechar,início,voltar,sorteer,zoeken,sluiten,terug,sortuj,\
      szukaj,zamknij,strona główna,sök,stäng,hem,søg,luk,forside,haku,hledat,ara,Поиск,Закрыть,\
      Главная,Меню,検索,閉じる,ホーム,メニュー,搜索,关闭,首页,菜单,首頁,검색,닫기
      """
    ),
    (
      .availability,
      """
      in stock,out of stock,sold out,free shipping,free delivery,ships,shipping,delivery,returns,\
      free returns,available,unavailable,sale,save,regular price,sale price,unit price,was,now,\
      from,only,limited time,best seller,new,sold by,ships from,list price,original price,\
      current price,low stock,price,msrp,tax included,shipping calculated,auf lager,lieferzeit,\
      versand,versandkostenfrei,ausverkauft,inkl mwst,ab,en stock,livraison,livraison gratuite,\
      rupture de stock,à partir de,envío gratis,agotado,disponible,desde,spedizione gratuita,\
      disponibile,esaurito,frete grátis,esgotado,a partir de,op voorraad,gratis verzending,\
      uitverkocht,dostępny,wysyłka,i lager,på lager,fri frakt,skladem,В наличии,Доставка,在庫,送料無料,\
      库存,包邮
      """
    ),
    (
      .reviews,
      """
      reviews,customer reviews,write a review,ratings,rated,rating,verified purchase,\
      verified buyer,based on,out of 5,review,stars,helpful,was this helpful,was this review,\
      average rating,overall rating,read reviews,reviewed,ask a question,was this page,\
      was this article,did this page,questions and answers,top reviews,recommends this product,\
      be the first,bewertungen,kundenbewertungen,bewertung,rezensionen,avis,avis clients,\
      donner mon avis,note,opiniones,valoraciones,reseñas,recensioni,valutazione,avaliações,\
      beoordelingen,opinie,recenzje,recensioner,omdömen,anmeldelser,arvostelut,hodnocení,yorumlar,\
      değerlendirmeler,Отзывы,Оценить,Рейтинг,レビュー,评价,評論,리뷰
      """
    ),
    (
      .date,
      """
      january,february,march,april,may,june,july,august,september,october,november,december,jan,\
      feb,mar,apr,jun,jul,aug,sep,sept,oct,nov,dec,posted,posted on,published,published on,\
      updated,updated on,last updated,today,yesterday,monday,tuesday,wednesday,thursday,friday,\
      saturday,sunday,posted by,written by,by,last edited,last modified,started by,answered,asked,\
      modified,created,aktualisiert,aktualisiert am,veröffentlicht,veröffentlicht am,stand,\
      erstellt am,von,januar,februar,märz,mai,juni,juli,oktober,dezember,montag,dienstag,mittwoch,\
      donnerstag,freitag,samstag,sonntag,heute,gestern,publié,publié le,mis à jour,mis à jour le,\
      mise à jour,modifié le,par,janvier,février,mars,avril,juin,juillet,août,septembre,octobre,\
      novembre,décembre,lundi,mardi,mercredi,jeudi,vendredi,samedi,dimanche,publicado,\
      publicado el,actualizado,por,pubblicato,pubblicato il,aggiornato,aggiornato il,di,\
      publicado em,atualizado,atualizado em,geplaatst,gepubliceerd,gepubliceerd op,bijgewerkt,\
      door,opublikowano,aktualizacja,autor,publicerad,uppdaterad,publiceret,opdateret,publisert,\
      oppdatert,julkaistu,päivitetty,publikováno,aktualizováno,güncelleme,Опубликовано,Обновлено,\
      Автор,公開日,更新日,投稿日,発布时间,更新时间,发布于,来源,입력,수정
      """
    ),
    (
      .legal,
      """
      copyright,all rights reserved,terms,terms of service,terms of use,terms and conditions,\
      privacy,legal,trademarks,powered by,sitemap,site map,accessibility,about us,careers,contact,\
      disclaimer,help,support,faq,blog,press,about,company,resources,imprint,affiliate disclosure,\
      these statements have not,impressum,datenschutzerklärung,agb,alle rechte vorbehalten,\
      kontakt,über uns,nutzungsbedingungen,hilfe,mentions légales,tous droits réservés,\
      confidentialité,conditions générales,nous contacter,qui sommes nous,plan du site,\
      aviso legal,todos los derechos,política de privacidad,contacto,quiénes somos,\
      tutti i diritti,riproduzione riservata,note legali,chi siamo,contatti,todos os direitos,\
      quem somos,contato,alle rechten voorbehouden,over ons,voorwaarden,privacybeleid,\
      wszelkie prawa zastrzeżone,o nas,polityka prywatności,regulamin,kontakta oss,om oss,\
      alla rättigheter,kontakt os,om os,yhteystiedot,kontakty,hakkımızda,Все права,Контакты,О нас,\
      О проекте,お問い合わ,利用規約,著作権,版权所有,关于我们,联系我们,저작권자,무단전재
      """
    ),
    (
      .product,
      """
      description,product description,product details,details,features,key features,\
      specifications,specs,technical specifications,ingredients,dimensions,materials,material,\
      care,overview,about this item,about this product,highlights,what's included,\
      what's in the box,how to use,benefits,size and fit,additional information,\
      product information,product features,item number,sku,model,weight,warranty,directions,\
      about this game,system requirements,minimum,nutrition,key benefits,specification,\
      product specifications,beschreibung,produktbeschreibung,produktdetails,technische daten,\
      eigenschaften,lieferumfang,description du produit,caractéristiques,fiche technique,\
      descripción,características,especificaciones,descrizione,caratteristiche,specifiche,\
      descrição,especificações,omschrijving,productomschrijving,specificaties,opis,opis produktu,\
      specyfikacja,beskrivning,beskrivelse,specifikationer,kuvaus,popis,ürün açıklaması,Описание,\
      Характеристики,商品説明,仕様,商品描述,规格,상품설명
      """
    ),
    (
      .member,
      """
      joined,member since,posts,messages,location,members,administrator,moderator,registered,\
      guest,new member,junior member,senior member,join date,active member,well known member,\
      offline,online,trophy points,staff,original poster,karma,reputation,topic starter,points,\
      solutions,community member,staff member,newbie,author,advocate,leader,topic author,gender,\
      full member,hero member,country,occupation
      """
    ),
    (
      .script,
      """
      please enable javascript,enable javascript,javascript is,javascript must be,\
      you need to enable,your browser,this browser,loading,please wait,we're sorry but,\
      just a moment,you are using,upgrade your browser,for the best experience,noscript,\
      javascript seems to
      """
    ),
  ]
}
