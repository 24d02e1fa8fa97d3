import DOM

/// The names of emoji in Markdown, such as `:rocket:` (GitHub, GitLab, Pandoc).
enum MarkdownEmoji {
  /// Maximum length of a name, in bytes.
  private static let maxNameLength = 32

  /// Returns the emoji whose name begins at a colon, without letters and digits around it. A role,
  /// such as `:key:` before code (MyST), is not an emoji.
  /// - Returns: The emoji and the index after its name; nil if there is none with a frequent name.
  static func emoji(
    in text: ArraySlice<UInt8>, at colon: Int
  ) -> (characters: String, end: Int)? {
    let name = text[(colon + 1)...].prefix(maxNameLength + 1)
      .prefix { $0.isLetter || $0.isDigit || "_+-".utf8.contains($0) }
    let close = name.endIndex
    func isWord(_ byte: UInt8) -> Bool { byte.isLetter || byte.isDigit || byte == 0x3A }
    guard !name.isEmpty, close < text.endIndex, text[close] == UInt8(ascii: ":"),
      colon == text.startIndex || !isWord(text[colon - 1]),
      close + 1 >= text.endIndex
        || !isWord(text[close + 1]) && text[close + 1] != UInt8(ascii: "`"),
      let characters = emojiByName[String(decoding: name, as: UTF8.self)]
    else { return nil }
    return (characters, close + 1)
  }

  private static let emojiByName: [String: String] = {
    let words = names.split(separator: " ")
    var emoji: [String: String] = [:]
    for index in stride(from: 0, to: words.count - 1, by: 2) {
      emoji[String(words[index])] = String(words[index + 1])
    }
    return emoji
  }()

  /// Frequent names, each followed by its emoji.
  private static let names = """
    +1 👍 -1 👎 100 💯 1234 🔢 1st_place_medal 🥇 2nd_place_medal 🥈 3rd_place_medal 🥉 abacus 🧮 \
    abc 🔤 abcd 🔡 adhesive_bandage 🩹 airplane ✈️ alarm_clock ⏰ alembic ⚗️ alien 👽 anchor ⚓ \
    angry 😠 ant 🐜 apple 🍎 arrow_backward ◀️ arrow_down ⬇️ arrow_forward ▶️ \
    arrow_heading_down ⤵️ arrow_heading_up ⤴️ arrow_left ⬅️ arrow_lower_right ↘️ \
    arrow_right ➡️ arrow_right_hook ↪️ arrow_up ⬆️ arrow_up_down ↕️ arrow_upper_right ↗️ \
    arrows_clockwise 🔃 arrows_counterclockwise 🔄 art 🎨 atom_symbol ⚛️ axe 🪓 baby 👶 back 🔙 \
    balloon 🎈 ballot_box_with_check ☑️ banana 🍌 bangbang ‼️ bar_chart 📊 basketball 🏀 \
    bathtub 🛁 battery 🔋 bear 🐻 bed 🛏️ bee 🐝 beer 🍺 beers 🍻 beetle 🪲 bell 🔔 bento 🍱 bike 🚲 \
    bird 🐦 birthday 🎂 black_circle ⚫ black_flag 🏴 black_heart 🖤 black_large_square ⬛ \
    black_square_button 🔲 blue_book 📘 blue_heart 💙 blue_square 🟦 blush 😊 boat ⛵ bomb 💣 \
    bone 🦴 book 📖 bookmark 🔖 books 📚 boom 💥 bow_and_arrow 🏹 brain 🧠 brazil 🇧🇷 bread 🍞 \
    bricks 🧱 broken_heart 💔 broom 🧹 brown_circle 🟤 bucket 🪣 bug 🐛 building_construction 🏗️ \
    bulb 💡 bullettrain_side 🚄 bus 🚌 bust_in_silhouette 👤 busts_in_silhouette 👥 butterfly 🦋 \
    cactus 🌵 cake 🍰 calendar 📆 camel 🐫 camera 📷 candy 🍬 car 🚗 card_file_box 🗃️ card_index 📇 \
    carrot 🥕 cat 🐱 cat2 🐈 cd 💿 chains ⛓️ champagne 🍾 chart_with_downwards_trend 📉 \
    chart_with_upwards_trend 📈 checkered_flag 🏁 cheese 🧀 cherries 🍒 cherry_blossom 🌸 \
    chestnut 🌰 chicken 🐔 children_crossing 🚸 chocolate_bar 🍫 clap 👏 clapper 🎬 \
    classical_building 🏛️ clipboard 📋 clock1 🕐 clock12 🕛 clock3 🕒 clock9 🕘 closed_book 📕 \
    closed_lock_with_key 🔐 cloud ☁️ clown_face 🤡 cn 🇨🇳 cocktail 🍸 coffee ☕ coffin ⚰️ \
    collision 💥 compass 🧭 computer 💻 confetti_ball 🎊 confused 😕 construction 🚧 \
    construction_worker 👷 cookie 🍪 cool 🆒 copyright ©️ corn 🌽 couch_and_lamp 🛋️ cow 🐮 crab 🦀 \
    credit_card 💳 crescent_moon 🌙 crossed_fingers 🤞 crossed_swords ⚔️ crown 👑 cry 😢 \
    crystal_ball 🔮 curry 🍛 dagger 🗡️ dancer 💃 dart 🎯 dash 💨 date 📅 de 🇩🇪 deciduous_tree 🌳 \
    desktop_computer 🖥️ detective 🕵️ diamond_shape_with_a_dot_inside 💠 disappointed 😞 \
    dizzy 💫 dizzy_face 😵 dna 🧬 dog 🐶 dog2 🐕 dollar 💵 dolphin 🐬 door 🚪 doughnut 🍩 dragon 🐉 \
    dragon_face 🐲 droplet 💧 duck 🦆 dvd 📀 e-mail 📧 eagle 🦅 ear 👂 earth_africa 🌍 \
    earth_americas 🌎 earth_asia 🌏 egg 🥚 eight 8️⃣ electric_plug 🔌 elephant 🐘 email 📧 end 🔚 \
    envelope ✉️ es 🇪🇸 eu 🇪🇺 euro 💶 evergreen_tree 🌲 exclamation ❗ exploding_head 🤯 \
    expressionless 😑 eye 👁️ eyes 👀 facepalm 🤦 factory 🏭 family 👪 fast_forward ⏩ feet 🐾 \
    file_cabinet 🗄️ file_folder 📁 fire 🔥 fish 🐟 fist ✊ five 5️⃣ flashlight 🔦 floppy_disk 💾 \
    flushed 😳 footprints 👣 four 4️⃣ four_leaf_clover 🍀 fox_face 🦊 fr 🇫🇷 free 🆓 fries 🍟 \
    frog 🐸 full_moon 🌕 game_die 🎲 gb 🇬🇧 gear ⚙️ gem 💎 ghost 👻 gift 🎁 globe_with_meridians 🌐 \
    goal_net 🥅 goggles 🥽 grapes 🍇 green_apple 🍏 green_book 📗 green_circle 🟢 green_heart 💚 \
    green_square 🟩 grey_exclamation ❕ grey_question ❔ grin 😁 grinning 😀 guitar 🎸 hamburger 🍔 \
    hammer 🔨 hammer_and_pick ⚒️ hammer_and_wrench 🛠️ hand ✋ handshake 🤝 hankey 💩 hash #️⃣ \
    headphones 🎧 hear_no_evil 🙉 heart ❤️ heart_eyes 😍 heartbeat 💓 hearts ♥️ \
    heavy_check_mark ✔️ heavy_division_sign ➗ heavy_exclamation_mark ❗ heavy_minus_sign ➖ \
    heavy_multiplication_x ✖️ heavy_plus_sign ➕ helicopter 🚁 herb 🌿 honey_pot 🍯 honeybee 🐝 \
    horse 🐴 hospital 🏥 hot_pepper 🌶️ hourglass ⌛ hourglass_flowing_sand ⏳ house 🏠 \
    house_with_garden 🏡 hugs 🤗 icecream 🍦 identification_card 🪪 inbox_tray 📥 \
    incoming_envelope 📨 india 🇮🇳 infinity ♾️ information_source ℹ️ innocent 😇 interrobang ⁉️ \
    iphone 📱 it 🇮🇹 jigsaw 🧩 joy 😂 jp 🇯🇵 key 🔑 keyboard ⌨️ keycap_ten 🔟 kissing_heart 😘 \
    koala 🐨 kr 🇰🇷 lab_coat 🥼 label 🏷️ ladder 🪜 large_blue_circle 🔵 large_blue_diamond 🔷 \
    large_orange_diamond 🔶 laughing 😆 leaves 🍃 ledger 📒 left_right_arrow ↔️ \
    left_speech_bubble 🗨️ leftwards_arrow_with_hook ↩️ lemon 🍋 link 🔗 lion 🦁 lips 👄 lock 🔒 \
    lollipop 🍭 loud_sound 🔊 loudspeaker 📢 mag 🔍 mag_right 🔎 mage 🧙 magic_wand 🪄 magnet 🧲 \
    mailbox 📫 man_technologist 👨‍💻 maple_leaf 🍁 mask 😷 medal_sports 🏅 mega 📣 memo 📝 \
    microbe 🦠 microphone 🎤 microscope 🔬 mirror 🪞 moneybag 💰 monkey 🐒 monkey_face 🐵 moon 🌔 \
    mountain ⛰️ mouse 🐭 movie_camera 🎥 muscle 💪 mushroom 🍄 musical_note 🎵 mute 🔇 \
    nazar_amulet 🧿 necktie 👔 negative_squared_cross_mark ❎ nerd_face 🤓 neutral_face 😐 new 🆕 \
    newspaper 📰 nine 9️⃣ ninja 🥷 no_bell 🔕 no_entry ⛔ no_entry_sign 🚫 nose 👃 notebook 📓 \
    notes 🎶 nut_and_bolt 🔩 o ⭕ ocean 🌊 octopus 🐙 office 🏢 ok 🆗 ok_hand 👌 old_key 🗝️ one 1️⃣ \
    open_book 📖 open_file_folder 📂 open_mouth 😮 orange_book 📙 orange_circle 🟠 orange_heart 🧡 \
    orange_square 🟧 outbox_tray 📤 owl 🦉 package 📦 page_facing_up 📄 page_with_curl 📃 \
    palm_tree 🌴 panda_face 🐼 paperclip 📎 partly_sunny ⛅ partying_face 🥳 passport_control 🛂 \
    paw_prints 🐾 peach 🍑 pencil 📝 pencil2 ✏️ penguin 🐧 pensive 😔 performing_arts 🎭 phone ☎️ \
    pick ⛏️ pig 🐷 pill 💊 pinching_hand 🤏 pirate_flag 🏴‍☠️ pizza 🍕 placard 🪧 point_down 👇 \
    point_left 👈 point_right 👉 point_up ☝️ point_up_2 👆 poop 💩 popcorn 🍿 pray 🙏 printer 🖨️ \
    punch 👊 purple_circle 🟣 purple_heart 💜 pushpin 📌 question ❓ rabbit 🐰 rabbit2 🐇 radio 📻 \
    radio_button 🔘 rage 😡 rainbow 🌈 rainbow_flag 🏳️‍🌈 raised_hand ✋ raised_hands 🙌 ramen 🍜 \
    recycle ♻️ red_circle 🔴 red_square 🟥 registered ®️ relaxed ☺️ relieved 😌 repeat 🔁 \
    rewind ⏪ rice 🍚 robot 🤖 rocket 🚀 rofl 🤣 roll_eyes 🙄 rose 🌹 rotating_light 🚨 \
    round_pushpin 📍 ru 🇷🇺 runner 🏃 running 🏃 safety_vest 🦺 sailboat ⛵ salt 🧂 satellite 📡 \
    satisfied 😆 school 🏫 scissors ✂️ scream 😱 scroll 📜 see_no_evil 🙈 seedling 🌱 seven 7️⃣ \
    shark 🦈 shield 🛡️ ship 🚢 shirt 👕 shopping_cart 🛒 shower 🚿 shrug 🤷 six 6️⃣ skull 💀 \
    sleeping 😴 slightly_smiling_face 🙂 small_blue_diamond 🔹 small_orange_diamond 🔸 \
    small_red_triangle 🔺 small_red_triangle_down 🔻 smile 😄 smiley 😃 smirk 😏 snail 🐌 snake 🐍 \
    snowflake ❄️ snowman ⛄ sob 😭 soccer ⚽ soon 🔜 sos 🆘 sound 🔉 spaghetti 🍝 sparkles ✨ \
    sparkling_heart 💖 speak_no_evil 🙊 speaker 🔈 speech_balloon 💬 spider 🕷️ sponge 🧽 star ⭐ \
    star2 🌟 star_struck 🤩 stars 🌠 stethoscope 🩺 stop_sign 🛑 stopwatch ⏱️ straight_ruler 📏 \
    strawberry 🍓 stuck_out_tongue 😛 stuck_out_tongue_winking_eye 😜 sun_with_face 🌞 \
    sunflower 🌻 sunglasses 😎 sunny ☀️ sunrise 🌅 superhero 🦸 sushi 🍣 sweat_drops 💦 \
    sweat_smile 😅 symbols 🔣 syringe 💉 taco 🌮 tada 🎉 tea 🍵 technologist 🧑‍💻 telephone ☎️ \
    telescope 🔭 tent ⛺ test_tube 🧪 thermometer 🌡️ thinking 🤔 thought_balloon 💭 thread 🧵 \
    three 3️⃣ thumbsdown 👎 thumbsup 👍 ticket 🎫 tickets 🎟️ tiger 🐯 tm ™️ tomato 🍅 tongue 👅 \
    toolbox 🧰 tooth 🦷 top 🔝 traffic_light 🚥 train 🚋 triangular_flag_on_post 🚩 \
    triangular_ruler 📐 trident 🔱 trophy 🏆 tropical_fish 🐠 truck 🚚 tshirt 👕 tulip 🌷 turtle 🐢 \
    tv 📺 two 2️⃣ uk 🇬🇧 ukraine 🇺🇦 umbrella ☔ unamused 😒 unicorn 🦄 unlock 🔓 up 🆙 \
    upside_down_face 🙃 us 🇺🇸 v ✌️ vertical_traffic_light 🚦 video_camera 📹 video_game 🎮 \
    volcano 🌋 walking 🚶 warning ⚠️ wastebasket 🗑️ watch ⌚ watermelon 🍉 wave 👋 whale 🐳 \
    whale2 🐋 wheel 🛞 wheelchair ♿ white_check_mark ✅ white_circle ⚪ white_flag 🏳️ \
    white_heart 🤍 white_large_square ⬜ white_square_button 🔳 window 🪟 wine_glass 🍷 wink 😉 \
    woman_technologist 👩‍💻 world_map 🗺️ worried 😟 wrench 🔧 writing_hand ✍️ x ❌ yarn 🧶 \
    yellow_circle 🟡 yellow_heart 💛 yellow_square 🟨 yin_yang ☯️ zap ⚡ zero 0️⃣ zombie 🧟 zzz 💤
    """
}
