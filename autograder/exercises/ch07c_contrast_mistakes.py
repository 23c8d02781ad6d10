"""Mistakes in changing one word, and in who is right about all copies: switches and hints."""

from autograder.exercises.ch07c_kit import CHANGE_HINTS, LISTS_CHANGED

BOTH_HINTS = (
    (
        '字典是 {"warm": "cold"}：句子里有 cold，应当换成什么？',
        'The dict is {"warm": "cold"}, and the text has cold: what should take its place?',
    ),
    (
        "先做一个两个方向都查得到的字典，再从头到尾看一遍句子，每个词只查一次。",
        "Make one dict that has both directions first; then go through the text once and look up "
        "each word a single time.",
    ),
)
ONE_HINTS = (
    (
        "句子里有三处可换：应当得到几份，每一份和原句差几个词？",
        "There are three places to exchange: how many copies should there be, and by how many "
        "words does each differ from the text?",
    ),
    (
        "每一份都从原来的句子开始，只动一处。",
        "Each copy starts from the text as it was, and changes one place.",
    ),
)
REPEATED_HINTS = (
    (
        "warm 在句子里出现两次：两份应当各换哪一处？",
        "The word warm stands in the text twice: which place should each of the two copies change?",
    ),
    (
        "按位置走，不要按词去找位置：同样的词，找到的总是第一处。",
        "Go by places; whoever looks for a word's place always finds the first.",
    ),
)
MATCH_HINTS = (
    (
        "字典里有 warm，句子里有 warmer 或 Warm：要换吗？",
        "The dict has warm, the text warmer or Warm: is that exchanged?",
    ),
    (
        "整个词和字典里的一模一样才换。",
        "Only a word that is just the one in the dict is exchanged.",
    ),
)
PAIR_HINTS = (
    (
        "列表的每一项是什么？先是新的词的列表，后是换掉的位置，从 0 数起。",
        "What is each entry of the list? First a new list of words, then the place, from 0.",
    ),
    (
        "没有可换的，列表是空的；有几处可换，列表就有几项，按位置从前到后。",
        "With nothing to exchange the list is empty; else it has an entry for each place, in the "
        "order of places.",
    ),
)

CONTRASTS = {
    "one_direction_only": (
        ({"direction": "forwards"}, {"direction": "backwards"}),
        "反义词只查了一个方向。",
        "Opposites are looked up in one direction only.",
        BOTH_HINTS,
    ),
    "exchanged_and_back": (
        ({"direction": "twice"}, {"direction": "twice_turned"}),
        "换过去又换了回来：改过的句子和原来一样。",
        "The word is exchanged and then exchanged back: the copy is the text as it was.",
        BOTH_HINTS,
    ),
    "all_places_at_once": (
        {"copies": "all_at_once"},
        "只有一份，所有可换的词都换了：一处一份，每份只换一处。",
        "There is one copy in which all words are exchanged; there should be a copy for each, with "
        "one change.",
        ONE_HINTS,
    ),
    "changes_pile_up": (
        ({"copies": "pile_up"}, {"copies": "one_list"}),
        "有的份里不止一处改动：每一份都应当从原来的句子开始。",
        "Some copies have more than one change; each should start from the text as it was.",
        ONE_HINTS,
    ),
    "copies_without_a_change": (
        ({"copies": "one_list_put_back"}, {"copies": "all_words"}),
        "有的份和原来的句子一样：改过又还原了，放进列表的却是同一个列表。",
        "Copies are the text as it was: a change was taken back, in the very list that had been "
        "handed out.",
        ONE_HINTS,
    ),
    "one_copy_only": (
        ({"copies": "first_only"}, {"copies": "last_only"}),
        "只换了一处就停了：每一处都要有一份。",
        "Only one place is changed; there should be a copy for each.",
        ONE_HINTS,
    ),
    "repeated_word_once": (
        (
            {"copies": "once_for_each_word"},
            {"copies": "word_everywhere_once"},
        ),
        "重复的词只给了一份：每一处一份。",
        "A word that the text repeats makes one copy only; there is one for each place.",
        REPEATED_HINTS,
    ),
    "place_looked_up": (
        ({"copies": "place_looked_up"}, {"copies": "index_looked_up"}),
        "位置是照着词去找的：重复的词，总是找到第一处。",
        "The place is looked up by the word, which always finds the first of several.",
        REPEATED_HINTS,
    ),
    "word_changed_everywhere": (
        {"copies": "word_everywhere"},
        "一份里同样的词全换了：只换那一处。",
        "The word is exchanged wherever it stands; it should be that one place.",
        REPEATED_HINTS,
    ),
    "not_exchanged": (
        ({"copies": "inserted"}, {"copies": "taken_out"}),
        "不是换掉：多了一个词，或者少了一个词。",
        "The word isn't exchanged: there is one word more, or one less.",
        ONE_HINTS,
    ),
    "case_ignored": (
        {"match": "any_case"},
        "大小写不同的词也换了：要和字典里的一模一样。",
        "Words that differ in capitals are exchanged; they have to be just those of the dict.",
        MATCH_HINTS,
    ),
    "parts_of_words": (
        {"match": "inside_a_word"},
        "词的一部分也换了：要整个词相等。",
        "Parts of words are exchanged; it has to be all of a word.",
        MATCH_HINTS,
    ),
    "another_order": (
        ({"order": "dict"}, {"order": "backwards"}),
        "次序不对：应当按在句子里的位置，从前到后。",
        "The order is wrong: it should be that of places in the text.",
        PAIR_HINTS,
    ),
    "original_too": (
        ({"returned": "original_too"}, {"nothing": "original"}),
        "没有可换的时候应当是空列表；原来的句子不放进去。",
        "With nothing to exchange the list should be empty; the text itself isn't in it.",
        PAIR_HINTS,
    ),
    "another_form": (
        (
            {"returned": "words_alone"},
            {"returned": "exchanged"},
            {"returned": "from_one"},
            {"returned": "joined"},
            {"returned": "new_word"},
            {"returned": "old_word"},
            {"returned": "two_lists"},
            {"returned": "dict"},
            {"returned": "places"},
        ),
        "列表的项不是 (words, index)：一个词的列表，一个从 0 数起的位置。",
        "Entries aren't (words, index), a list of words and a place counted from 0.",
        PAIR_HINTS,
    ),
    "lists_changed": (
        ({"edits": "in_place"}, {"edits": "dict"}),
        LISTS_CHANGED.zh,
        LISTS_CHANGED.en,
        CHANGE_HINTS,
    ),
}

VOTE_HINTS = (
    (
        "两组，一组三句对了两句，一组一句对了：应当是 1/2。你的呢？",
        "Two groups, one of three texts of which two are right, one of a single right text: that "
        "makes 1/2. What is yours?",
    ),
    (
        "每组先有一个结论：全对，或者没有；再看全对的组占几成，不管组有多大。",
        "Each group comes to a verdict first, all right or not; then take the share of groups "
        "that are, however large they be.",
    ),
)
GROUP_HINTS = (
    (
        "groups 是 7, 3, 7, 3, 12：有几组，每组有谁？",
        "With groups 7, 3, 7, 3, 12: how many are there, and who is in each?",
    ),
    (
        "有哪些编号，去数据里看：编号可以跳着来，同组的也不一定挨着。",
        "Which numbers there are is for the data to say; some may be missing, and members of a "
        "group needn't stand side by side.",
    ),
)

CONSISTENCY = {
    "share_of_texts": (
        (
            {"share": "all_texts"},
            {"member": "mean"},
            {"share": "texts"},
            {"share": "votes_over_texts"},
            {"share": "of_right_texts"},
        ),
        "算的是句子的份额（或组内份额的平均），应当是全对的组占几成。",
        "This is a share of texts, or the mean of shares within groups; it should be the share of "
        "groups that are all right.",
        VOTE_HINTS,
    ),
    "some_are_enough": (
        (
            {"member": "any"},
            {"member": "half"},
            {"member": "more_than_half"},
            {"member": "one_slip"},
        ),
        "一组里对了几句就算了：要全对。",
        "A group counts where some of it is right; all of it must be.",
        VOTE_HINTS,
    ),
    "one_member_decides": (
        ({"member": "last"}, {"member": "first"}, {"member": "all_but_the_first"}),
        "一组里只看了一部分句子。",
        "Only some members of a group are looked at.",
        VOTE_HINTS,
    ),
    "wrong_groups_counted": (
        ({"member": "not_all"}, {"member": "none"}, {"member": "all_alike"}),
        "数的不是全对的组。",
        "What is counted aren't the groups that are all right.",
        VOTE_HINTS,
    ),
    "neighbours_only": (
        {"which": "neighbours"},
        "只有挨着的才算成一组：同组的句子可以隔开。",
        "Only neighbours are taken as a group; its members may stand apart.",
        GROUP_HINTS,
    ),
    "numbers_without_gaps": (
        (
            {"which": "up_to_the_largest"},
            {"share": "over_largest_and_one"},
            {"which": "up_to_their_number"},
            {"which": "from_one"},
            {"which": "below_the_largest"},
            {"share": "over_largest"},
        ),
        "当作编号是 0、1、2……一个不缺：没有的编号不是组。",
        "Numbers are taken to be 0, 1, 2 and so on; a number that nobody has is no group.",
        GROUP_HINTS,
    ),
    "single_texts_left_out": (
        {"which": "without_singles"},
        "只有一句的组丢掉了：它也是一组。",
        "Groups of a single text are left out; they are groups, too.",
        GROUP_HINTS,
    ),
    "no_share": (
        ({"share": "count"}, {"scale": "percent"}),
        "返回的不是 0 到 1 的份额。",
        "What comes back isn't a share from 0 to 1.",
        VOTE_HINTS,
    ),
}
