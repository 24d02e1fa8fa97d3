/// The words of written dates, in lower case.
package enum DateVocabulary {
  /// The characters that follow the numbers of Chinese, Japanese and Korean dates.
  static let cjkDateCharacters: Set<Character> = [
    "年", "月", "日", "号", "號", "時", "时", "点", "點", "分", "秒", "년", "월", "일", "시", "분", "초",
  ]

  /// Returns the number of a month by its name or an abbreviation, in many languages and regardless
  /// of case; nil for other words.
  package static func month(_ word: some StringProtocol) -> Int? {
    let name = word.lowercased().filter { $0 != "." }
    return monthNumbers[name] ?? numberedMonth(name)
  }

  /// Returns the number of a month whose name contains it: `6月`, `6월` and `六月`; nil for other
  /// words.
  private static func numberedMonth(_ name: String) -> Int? {
    guard let unit = name.last, unit == "月" || unit == "월" else { return nil }
    let number = String(name.dropLast())
    guard let month = Int(number) ?? chineseNumbers.firstIndex(of: number).map({ $0 + 1 }),
      (1...12).contains(month)
    else { return nil }
    return month
  }

  /// The numbers from 1 to 12.
  private static let chineseNumbers = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二",
  ]

  /// The month of each name. A word of at least three letters that begins one of `monthNames` is an
  /// abbreviation of it.
  static let monthNumbers: [String: Int] = {
    var months: [String: Int] = [:]
    for list in [monthNames, unabbreviatedMonthNames] {
      for (index, names) in list.enumerated() {
        for name in names.split(separator: " ") where months[String(name)] == nil {
          months[String(name)] = index + 1
        }
      }
    }
    for (index, names) in monthNames.enumerated() {
      for name in names.split(separator: " ") {
        var short = name.dropLast()
        while short.count >= 3 {
          if months[String(short)] == nil { months[String(short)] = index + 1 }
          short = short.dropLast()
        }
      }
    }
    return months
  }()

  /// The names of the months, from January. Where languages disagree (`listopad`), the language
  /// with more speakers decides.
  private static let monthNames = [
    """
    january januar jänner janvier enero gennaio janeiro januari stycznia styczeń января январь \
    січня ledna leden januára január ocak ianuarie tammikuu tammikuuta janúar siječnja januára \
    jaanuar janvāris sausio ιανουαρίου ιανουάριος януари يناير كانون ינואר जनवरी มกราคม gener
    """,
    """
    february februar feber février fevrier febrero febbraio fevereiro februari lutego luty февраля \
    февраль лютого února únor februára február şubat februarie helmikuu helmikuuta febrúar veljače \
    veebruar februāris vasario φεβρουαρίου φεβρουάριος февруари فبراير شباط פברואר फरवरी \
    กุมภาพันธ์ febrer
    """,
    """
    march märz mrz maerz mars marzo março marco maart marca marzec marta марта март березня března \
    březen március mart martie maaliskuu maaliskuuta ožujka märts marts kovo μαρτίου μάρτιος مارس \
    آذار מרץ मार्च มีนาคม març
    """,
    """
    april avril abril aprile kwietnia kwiecień апреля апрель квітня dubna duben április nisan \
    aprilie huhtikuu huhtikuuta apríl travnja aprill aprīlis balandžio απριλίου απρίλιος април \
    أبريل نيسان אפריל अप्रैल เมษายน
    """,
    """
    may mai mayo maggio maio mei maj maja мая май травня května květen május mayıs toukokuu \
    toukokuuta maí svibnja mája máj maijs gegužės μαΐου μάιος مايو أيار מאי मई พฤษภาคม maig
    """,
    """
    june juni juin junio giugno junho czerwca czerwiec июня июнь червня června červen június \
    haziran iunie kesäkuu kesäkuuta júní lipnja júna jún juuni jūnijs birželio ιουνίου ιούνιος юни \
    يونيو حزيران יוני जून มิถุนายน juny
    """,
    """
    july juli juillet julio luglio julho lipca lipiec июля июль липня července červenec július \
    temmuz iulie heinäkuu heinäkuuta júlí srpnja júla júl juuli jūlijs liepos ιουλίου ιούλιος юли \
    يوليو تموز יולי जुलाई กรกฎาคม juliol
    """,
    """
    august août aout agosto augustus augusti sierpnia sierpień августа август серпня srpna srpen \
    augusztus ağustos elokuu elokuuta ágúst kolovoza augusta augusts rugpjūčio αυγούστου αύγουστος \
    أغسطس آب אוגוסט अगस्त สิงหาคม agost
    """,
    """
    september septembre septiembre settembre setembro września wrzesień сентября сентябрь вересня \
    září szeptember eylül septembrie syyskuu syyskuuta rujna septembra septembris rugsėjo \
    σεπτεμβρίου σεπτέμβριος септември سبتمبر أيلول ספטמבר सितंबर กันยายน setembre
    """,
    """
    october oktober octobre octubre ottobre outubro października październik октября октябрь \
    жовтня října říjen október ekim octombrie lokakuu lokakuuta oktobra oktoober oktobris spalio \
    οκτωβρίου οκτώβριος октомври أكتوبر אוקטובר अक्टूबर ตุลาคม
    """,
    """
    november novembre noviembre novembro listopada listopad ноября ноябрь листопада listopadu \
    kasım noiembrie marraskuu marraskuuta nóvember studenoga novembra novembris lapkričio \
    νοεμβρίου νοέμβριος ноември نوفمبر נובמבר नवंबर พฤศจิกายน
    """,
    """
    december dezember décembre decembre diciembre dicembre dezembro grudnia grudzień декабря \
    декабрь грудня prosince prosinec aralık decembrie joulukuu joulukuuta desember prosinca \
    decembra detsember decembris gruodžio δεκεμβρίου δεκέμβριος декември ديسمبر דצמבר दिसंबर \
    ธันวาคม desembre
    """,
  ]

  /// The names of the months in languages whose abbreviations would be words of other languages,
  /// such as `api` (Basque `apirila`). Of these names only the listed abbreviations are known.
  private static let unabbreviatedMonthNames = [
    """
    јан студзеня јануари јануар ionawr urtarrila urtarrilaren janvārī janvāra yanvar қаңтар ژانویه \
    জানুয়ারি جنوری იანვარი հունվարի xaneiro janar ม.ค \
    հունվար ஜனவரி జనవరి ಜನವರಿ ജനുവരി જાન્યુઆરી जानेवारी ਜਨਵਰੀ មករា ဇန်နဝါရီ eanáir ιανουαριου
    """,
    """
    феб лютага фебруари фебруар chwefror otsaila otsailaren februārī fevral ақпан فوریه \
    ফেব্রুয়ারি فروری თებერვალი փետրվարի pebrero shkurt फ़रवरी ก.พ \
    փետրվար பிப்ரவரி ఫిబ్రవరి ಫೆಬ್ರವರಿ ഫെബ്രുവരി ફેબ્રુઆરી फेब्रुवारी ਫ਼ਰਵਰੀ កុម្ភៈ ဖေဖော်ဝါရီ feabhra φεβρουαριου
    """,
    """
    сакавіка maret mawrth martxoa martxoaren martā machi marso наурыз মার্চ مارچ მარტი մարտի มี.ค \
    մարտ மார்ச் మార్చి ಮಾರ್ಚ್ മാർച്ച് માર્ચ ਮਾਰਚ មីនា မတ် márta μαρτιου mrt marec
    """,
    """
    красавіка apirila apirilaren aprīlī aprili ebrill сәуір آوریل এপ্রিল اپریل აპრილი ապրիլի prill \
    เม.ย \
    ապրիլ ஏப்ரல் ఏప్రిల్ ಏಪ್ರಿಲ್ ഏപ്രിൽ એપ્રિલ एप्रिल ਅਪ੍ਰੈਲ មេសា ဧပြီ aibreán απριλιου
    """,
    """
    мај maiatza maiatzaren maijā мамыр مه মে مئی მაისი մայիսի พ.ค \
    մայիս மே మే ಮೇ മെയ് મે मे ਮਈ ឧសភា မေ bealtaine μαιου μαϊου μαι μάι
    """,
    """
    чэрвеня јуни јун junij mehefin ekaina ekainaren jūnijā hunyo iyun маусым ژوئن জুন جون ივნისი \
    հունիսի xuño qershor มิ.ย \
    հունիս ஜூன் జూన్ ಜೂನ್ ജൂൺ જૂન ਜੂਨ មិថុនា ဇွန် meitheamh ιουνιου
    """,
    """
    ліпеня јули јул julij gorffennaf uztaila uztailaren jūlijā hulyo julai iyul шілде ژوئیه জুলাই \
    جولائی ივლისი հուլիսի xullo korrik ก.ค \
    հուլիս ஜூலை జులై ಜುಲೈ ജൂലൈ જુલાઈ जुलै ਜੁਲਾਈ កក្កដា ဇူလိုင် iúil ιουλιου lip
    """,
    """
    agt agu жніўня avgust agustus awst abuztua abuztuaren augustā agosti ogos avqust тамыз اوت \
    আগস্ট اگست აგვისტო օգոստոսի gusht ส.ค \
    օգոստոս ஆகஸ்ட் ఆగస్టు ಆಗಸ್ಟ್ ഓഗസ്റ്റ് ઑગસ્ટ ऑगस्ट ਅਗਸਤ សីហា ဩဂုတ် lúnasa αυγουστου
    """,
    """
    верасня септембар medi iraila irailaren septembrī setyembre septemba sentyabr sentabr қыркүйек \
    سپتامبر সেপ্টেম্বর ستمبر სექტემბერი սեպտեմբերի shtator सितम्बर ก.ย \
    սեպտեմբեր செப்டம்பர் సెప్టెంబర్ ಸೆಪ್ಟೆಂಬರ್ സെപ്റ്റംബർ સપ્ટેમ્બર सप्टेंबर ਸਤੰਬਰ កញ្ញា စက်တင်ဘာ σεπτεμβριου
    """,
    """
    кастрычніка октобар hydref urria urriaren oktobrī oktubre oktoba oktyabr oktabr қазан اکتبر \
    অক্টোবর اکتوبر ოქტომბერი հոկտեմբերի tetor अक्तूबर ต.ค \
    հոկտեմբեր அக்டோபர் అక్టోబర్ ಅಕ್ಟೋಬರ್ ഒക്ടോബർ ઑક્ટોબર ऑक्टोबर ਅਕਤੂਬਰ តុលា အောက်တိုဘာ οκτωβριου
    """,
    """
    лістапада новембар tachwedd azaroa azaroaren novembrī nobyembre novemba noyabr қараша نوامبر \
    নভেম্বর نومبر ნოემბერი նոյեմբերի nëntor नवम्बर พ.ย \
    նոյեմբեր நவம்பர் నవంబర్ ನವೆಂಬರ್ നവംബർ નવેમ્બર नोव्हेंबर ਨਵੰਬਰ វិច្ឆិកា နိုဝင်ဘာ samhain νοεμβριου
    """,
    """
    дец снежня децембар rhagfyr abendua abenduaren decembrī disyembre desemba disember dekabr \
    желтоқсан دسامبر ডিসেম্বর دسمبر დეკემბერი դեկտեմբերի dhjetor दिसम्बर ธ.ค \
    դեկտեմբեր டிசம்பர் డిసెంబర్ ಡಿಸೆಂಬರ್ ഡിസംബർ ડિસેમ્બર डिसेंबर ਦਸੰਬਰ ធ្នូ ဒီဇင်ဘာ nollaig δεκεμβριου
    """,
  ]

  /// The Croatian months whose names or abbreviations are other months in Polish.
  static let croatianMonths = ["listopada": 10, "lis": 10, "lip": 6]

  /// The months of the Levant and Iraq whose names consist of two words, by the first word and then
  /// by the second word.
  static let monthsByOrdinal = [
    "كانون": ["الثاني": 1, "ثاني": 1, "الأول": 12, "أول": 12],
    "تشرين": ["الأول": 10, "أول": 10, "الثاني": 11, "ثاني": 11],
  ]

  /// The Vietnamese numerals that name the months from January to October. November and December
  /// have the numeral for ten followed by that for one or two.
  static let vietnameseMonths = [
    "một", "hai", "ba", "tư", "năm", "sáu", "bảy", "tám", "chín", "mười",
  ]

  /// The first year of each Japanese era, and of the Taiwanese calendar.
  static let eraStarts = [
    "令和": 2019, "平成": 1989, "昭和": 1926, "民國": 1912, "民国": 1912, "中華民國": 1912,
  ]

  /// The years of the Thai calendar that correspond to 1900 to 2156.
  package static let buddhistYears = 2443...2699
  /// The years of the Taiwanese calendar that pages state without the name of the calendar. Years
  /// of two digits are more likely to be short Gregorian years.
  static let taiwaneseYears = 100...150
  /// The last two digits of the years of the Thai calendar that correspond to 1990 to 2056. Smaller
  /// numbers are hours or short Gregorian years.
  static let shortBuddhistYears = 33...99
  /// The difference between a year of the Thai calendar and the Gregorian year.
  package static let buddhistYearOffset = 543

  /// Returns whether a word in lower case is the name of a day of the week, a listed abbreviation,
  /// or the first three or more letters of such a name. The abbreviation `min` of the Indonesian
  /// name of Sunday is excluded because it stands for minutes, as in "3 min, 6 May 2026".
  package static func isWeekday(_ word: String) -> Bool {
    if weekdays.contains(word) { return true }
    let first = word.utf8.first
    return word.count >= 3 && word != "min"
      && weekdays.contains { $0.utf8.first == first && $0.hasPrefix(word) }
  }

  private static let weekdays = Set(
    """
    monday tuesday wednesday thursday friday saturday sunday tues thurs montag dienstag mittwoch \
    donnerstag freitag samstag sonnabend sonntag mo di mi do fr sa so lundi mardi mercredi jeudi \
    vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo lunedì martedì \
    mercoledì giovedì venerdì sabato domenica segunda terça quarta quinta sexta feira maandag \
    dinsdag woensdag donderdag vrijdag zaterdag zondag ma wo vr za zo måndag tisdag onsdag torsdag \
    fredag lördag söndag mandag tirsdag lørdag søndag poniedziałek wtorek środa czwartek piątek \
    sobota niedziela понедельник вторник среда четверг пятница суббота воскресенье пн вт ср чт пт \
    сб вс понеділок вівторок середа четвер пʼятниця субота неділя pondělí úterý středa čtvrtek \
    pátek neděle maanantai tiistai keskiviikko torstai perjantai lauantai sunnuntai pazartesi salı \
    çarşamba perşembe cuma cumartesi pazar hétfő kedd szerda csütörtök péntek szombat vasárnap \
    luni marți miercuri joi vineri sâmbătă duminică الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت \
    الأحد ראשון שני שלישי רביעי חמישי שישי שבת 月曜 火曜 水曜 木曜 金曜 土曜 日曜 火 水 木 金 土 \
    星期一 星期二 星期三 星期四 星期五 星期六 星期 周一 周二 周三 周四 周五 周六 周 一 二 三 四 五 六 曜 \
    화 수 목 금 토 월요 화요 수요 목요 금요 토요 일요 요 화요일 \
    δευτέρα τρίτη τετάρτη πέμπτη παρασκευή σάββατο κυριακή pondelok utorok štvrtok piatok nedeľa \
    ponedjeljak utorak srijeda četvrtak petak subota nedjelja ponedeljek torek sreda četrtek \
    nedelja понедељак уторак четвртак петак субота недеља понеделник сряда четвъртък петък събота \
    mánudagur þriðjudagur miðvikudagur fimmtudagur föstudagur laugardagur sunnudagur senin selasa \
    rabu kamis jumat sabtu minggu الإثنين الإربعاء יום شنبه یکشنبه دوشنبه سه‌شنبه چهارشنبه پنجشنبه \
    پنج‌شنبه یک‌شنبه جمعه پیر منگل بدھ جمعرات جمعہ ہفتہ اتوار सोमवार मंगलवार बुधवार गुरुवार \
    शुक्रवार शनिवार रविवार সোমবার মঙ্গলবার বুধবার বৃহস্পতিবার শুক্রবার শনিবার রবিবার วันจันทร์ที่ \
    วันอังคารที่ วันพุธที่ วันพฤหัสบดีที่ วันศุกร์ที่ วันเสาร์ที่ วันอาทิตย์ที่
    """.split(separator: " ").map(String.init))

  /// Words between the parts of a date, or between date and time.
  static let connectives: Set<String> = [
    "de", "del", "of", "the", "le", "den", "der", "el", "at", "um", "à", "às", "as", "a", "las",
    "alle", "ore", "kl", "klo", "o", "om", "в", "о", "lúc", "г", "год", "року", "р", "d", "i", "at",
    "von", "on", "am", "il", "les", "ngày", "a'las", "v", "em", "พ.ศ", "ค.ศ", "الأول", "الثاني",
    "أول", "ثاني",
  ]

  /// Words before numeric dates, also with years of two digits, and further ones before those with
  /// slashes.
  static let wordsBeforeDates: Set<String> = [
    "am", "vom", "den", "datum", "stand", "date", "dne", "dnia",
  ]
  static let wordsBeforeDatesWithSlashes: Set<String> = [
    "on", "le", "du", "el", "del", "il", "op", "em", "fecha", "data", "posted", "published",
    "created", "added", "updated", "modified", "revised", "filed", "dated",
  ]

  /// Words and endings after the year at the beginning of a date, without a following dot.
  static let wordsForYear: Set<String> = [
    "m", "gada", "ko", "eko", "yil", "жылғы", "жылы", "il",
  ]

  /// Endings of ordinal numbers.
  static let ordinalSuffixes: Set<String> = [
    "st", "nd", "rd", "th", "er", "º", "ª", "°", "e", "o", "a", "an", "º.", ".",
  ]

  /// Words before a time of day.
  static let clockWords: Set<String> = [
    "kl", "klo", "klockan", "klokken", "kello", "ore", "alle", "um", "at", "om", "à", "às", "ás",
    "las", "les", "ora", "saat", "ob", "u", "o", "godz", "hod", "plkst", "kell", "pukul", "в",
    "о", "у", "στις", "ساعت", "الساعة", "בשעה", "เวลา",
  ]

  /// Words after a time of day that do not change it.
  static let timeSuffixes: Set<String> = [
    "uhr", "h", "hs", "hrs", "hours", "uur", "hod", "ч", "น",
  ]

  /// The words for the halves of the day. The value is true if the word denotes the second half.
  static let isPMByWord: [String: Bool] = [
    "am": false, "pm": true, "上午": false, "下午": true, "午前": false, "午後": true, "오전": false,
    "오후": true, "晚上": true, "早上": false,
  ]

  /// Offsets of zones from UTC in minutes. An abbreviation that stands for several zones, or for
  /// standard and daylight saving time, has none.
  static let zoneOffsets: [String: Int?] = [
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 60, "bst": 60, "cet": 60, "mez": 60,
    "cest": 120, "mesz": 120, "eet": 120, "eest": 180, "msk": 180, "hkt": 480, "sgt": 480,
    "jst": 540, "kst": 540, "awst": 480, "acst": 570, "aest": 600, "aedt": 660, "nzst": 720,
    "nzdt": 780, "est": -300, "edt": -240, "cdt": -300, "mst": -420, "mdt": -360, "pst": -480,
    "pdt": -420, "akst": -540, "akdt": -480, "hst": -600, "brt": -180, "art": -180,
    "wib": 420, "wita": 480, "wit": 540, "pkt": 300, "sast": 120,
    "et": nil, "ct": nil, "mt": nil, "pt": nil, "cst": nil,
    "ist": nil, "ast": nil, "adt": nil, "мск": 180, "eastern": nil,
  ]
}
