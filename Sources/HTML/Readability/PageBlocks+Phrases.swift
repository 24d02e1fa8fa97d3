/// What the first words of a block, or all of them, say about what it is for.
struct BlockPhrase: OptionSet, Hashable {
  let rawValue: UInt16

  static let buy = BlockPhrase(rawValue: 1 << 0)
  static let follow = BlockPhrase(rawValue: 1 << 1)
  static let related = BlockPhrase(rawValue: 1 << 2)
  static let signIn = BlockPhrase(rawValue: 1 << 3)
  static let share = BlockPhrase(rawValue: 1 << 4)
  static let cookies = BlockPhrase(rawValue: 1 << 5)
  static let subscribe = BlockPhrase(rawValue: 1 << 6)
  static let comments = BlockPhrase(rawValue: 1 << 7)
  static let order = BlockPhrase(rawValue: 1 << 8)
  static let stock = BlockPhrase(rawValue: 1 << 9)
  static let reviews = BlockPhrase(rawValue: 1 << 10)
  static let date = BlockPhrase(rawValue: 1 << 11)
  static let legal = BlockPhrase(rawValue: 1 << 12)
  static let product = BlockPhrase(rawValue: 1 << 13)
  static let member = BlockPhrase(rawValue: 1 << 14)
  static let script = BlockPhrase(rawValue: 1 << 15)

  static let count = 16

  /// The phrases that a block begins with.
  static func phrases(of text: BlockText) -> BlockPhrase {
    guard text.words > 0, text.words <= 40 else { return text.hasCopyright ? .legal : [] }
    var found: BlockPhrase = text.hasCopyright ? .legal : []
    for (hash, words) in [
      (text.openings.0, 1), (text.openings.1, 2), (text.openings.2, 3), (text.openings.3, 4),
    ] where hash != 0 {
      let phrase = table[hash]
      guard !phrase.isEmpty else { continue }
      // A phrase of one word counts only where hardly anything follows.
      if words > 1 || text.words <= 3 { found.formUnion(phrase) }
    }
    return found
  }

  /// The phrases by the hash of their words.
  private static let table = PhraseTable(vocabulary)

  private static let vocabulary: [(BlockPhrase, StaticString)] = [
    (
      .buy,
      "add to cart,add to basket,add to bag,add to wishlist,add to wish list,buy now,buy it now,quantity,qty,select options,choose options,choose an option,checkout,view cart,your cart,shopping cart,quick view,quick shop,quick buy,quick add,notify me,add to compare,compare,save for later,shop now,order now,preorder,pre order,subtotal,add to registry,add to list,view product,pick up today"
    ),
    (
      .follow,
      "read more,learn more,see more,view more,show more,load more,view all,see all,show all,more info,more details,continue reading,see details,view details,get started,find out more,discover more,explore,show less,read less,see less,back to top,go to,next,previous,next page,previous page,click here,start free trial,start for free,try for free,book a demo,request a demo,contact us,get a quote,contact sales,download now,watch video,try it free,shop all,skip to"
    ),
    (
      .related,
      "related,you may also like,you might also like,recommended,recommended for you,recommended products,related products,related posts,related articles,related topics,related content,customers also,frequently bought together,people also,similar items,similar products,more from,more like this,more to explore,popular,trending,recently viewed,most popular,most read,suggested,suggested topics,new related topics,also bought,explore more,latest news,latest posts,recent posts,popular posts,read next,up next,what to read next,sponsored,advertisement,hot network questions,linked,explore related questions,topics with similar,keep reading,more information,other products,pairs well with,complete the look,you'll also love,featured posts,top posts,more stories,editors picks,see also"
    ),
    (
      .signIn,
      "sign in,log in,login,register,sign up,create account,create an account,my account,forgot password,forgot your password,already have an account,join now,you must log in,you must be logged,you need to be,join the conversation,log in to,sign in to,account,join for free,log out,username,password,remember me"
    ),
    (
      .share,
      "share,share this,share on,tweet,facebook,twitter,pinterest,linkedin,instagram,youtube,copy link,email,print,pin it,share link,follow us,follow,link to post,share to,share article,tiktok,whatsapp,reddit,x,more sharing options"
    ),
    (
      .cookies,
      "we use cookies,this website uses cookies,this site uses cookies,cookie,cookies,accept all,accept cookies,accept,reject all,manage cookies,cookie settings,cookie policy,cookie preferences,privacy policy,your privacy,privacy settings,manage preferences,do not sell,strictly necessary cookies"
    ),
    (
      .subscribe,
      "subscribe,newsletter,sign up for,sign up to,subscribe to,email address,enter your email,your email,get the latest,join our,get updates,stay in touch,stay up to date,stay connected,be the first to,get our,subscribe now,never miss"
    ),
    (
      .comments,
      "comments,leave a comment,leave a reply,post a comment,no comments,add a comment,add comment,reply,quote,like,report,flag,replies,likes,views,view comments,show comments,write a comment,join the discussion,0 comments,1 comment,improve this question,improve this answer,share improve this,follow this question,edited,cite,reply to,multi quote,upvote,thanks,reactions,reaction score,like this,log in to reply,post reply"
    ),
    (
      .order,
      "sort by,sort,filter,filters,filter by,refine by,clear all,show filters,apply,reset,items per page,results,showing,page,view as,categories,category,brand,price,size,color,colour,availability,apply filters,all filters,refine,search,close,menu,home,open menu,toggle navigation,main menu,back,cancel,select,search for,navigation"
    ),
    (
      .stock,
      "in stock,out of stock,sold out,free shipping,free delivery,ships,shipping,delivery,returns,free returns,available,unavailable,sale,save,regular price,sale price,unit price,was,now,from,only,limited time,best seller,new,sold by,ships from,list price,original price,current price,low stock,price,msrp,tax included,shipping calculated"
    ),
    (
      .reviews,
      "reviews,customer reviews,write a review,ratings,rated,rating,verified purchase,verified buyer,based on,out of 5,review,stars,helpful,was this helpful,was this review,average rating,overall rating,read reviews,reviewed,ask a question,was this page,was this article,did this page,questions and answers,top reviews,recommends this product,be the first"
    ),
    (
      .date,
      "january,february,march,april,may,june,july,august,september,october,november,december,jan,feb,mar,apr,jun,jul,aug,sep,sept,oct,nov,dec,posted,posted on,published,published on,updated,updated on,last updated,today,yesterday,monday,tuesday,wednesday,thursday,friday,saturday,sunday,posted by,written by,by,last edited,last modified,started by,answered,asked,modified,created"
    ),
    (
      .legal,
      "copyright,all rights reserved,terms,terms of service,terms of use,terms and conditions,privacy,legal,trademarks,powered by,sitemap,site map,accessibility,about us,careers,contact,disclaimer,help,support,faq,blog,press,about,company,resources,imprint,affiliate disclosure,these statements have not"
    ),
    (
      .product,
      "description,product description,product details,details,features,key features,specifications,specs,technical specifications,ingredients,dimensions,materials,material,care,overview,about this item,about this product,highlights,what's included,what's in the box,how to use,benefits,size and fit,additional information,product information,product features,item number,sku,model,weight,warranty,directions,about this game,system requirements,minimum,nutrition,key benefits,specification,product specifications"
    ),
    (
      .member,
      "joined,member since,posts,messages,location,members,administrator,moderator,registered,guest,new member,junior member,senior member,join date,active member,well known member,offline,online,trophy points,staff,original poster,karma,reputation,topic starter,points,solutions,community member,staff member,newbie,author,advocate,leader,topic author,gender,full member,hero member,country,occupation"
    ),
    (
      .script,
      "please enable javascript,enable javascript,javascript is,javascript must be,you need to enable,your browser,this browser,loading,please wait,we're sorry but,just a moment,you are using,upgrade your browser,for the best experience,noscript,javascript seems to"
    ),
  ]
}

/// A hash table from the hashes of phrases to what they mean.
private struct PhraseTable {
  private var slots: [(hash: UInt64, phrase: BlockPhrase)]

  /// A power of two, of which the phrases take a quarter.
  private static let size = 4096

  init(_ vocabulary: [(BlockPhrase, StaticString)]) {
    slots = Array(repeating: (0, []), count: Self.size)
    for (phrase, texts) in vocabulary {
      texts.forEachPart(separator: UInt8(ascii: ",")) { text in
        var measure = BlockText()
        measure.add(text, in: text.indices, isLink: false)
        measure.endWord()
        let slot = slot(of: measure.hash)
        slots[slot] = (measure.hash, slots[slot].phrase.union(phrase))
      }
    }
  }

  subscript(hash: UInt64) -> BlockPhrase { slots[slot(of: hash)].phrase }

  /// Where a hash stands, or would stand; the hashes are mixed well enough to be places.
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash) & (Self.size - 1)
    while slots[slot].hash != hash, slots[slot].hash != 0 { slot = (slot + 1) & (Self.size - 1) }
    return slot
  }
}
