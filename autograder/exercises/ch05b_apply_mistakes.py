"""Mistakes in putting something in the place of chosen tokens: switches, sentences and hints."""

from autograder.exercises.ch05b_choose_hints import FIRST_ROW_HINTS, SEED_HINTS
from autograder.exercises.ch05b_choose_mistakes import CHOOSING

SHARE_HINTS = (
    (
        "造一行 100 个词元，全部挑中，调用几十次：[MASK]、随机、不动各占几成？",
        "Make a row of 100 tokens, pick all of them, and call it some dozens of times: which share "
        "is hidden, random, unchanged?",
    ),
    (
        "一个槽位抽一个 0 到 1 之间的数，就够决定三种结果了：两个分界各在哪里？",
        "One number from 0 to 1 is enough to decide between the three fates of a slot: where are "
        "the two borders?",
    ),
)
TOKEN_HINTS = (
    (
        "ordinary_ids = [2, 5, 9]，调用几百次：不动的以外，出现过哪些编号？",
        "Take ordinary_ids = [2, 5, 9] and call it some hundreds of times: which ids come up?",
    ),
    (
        "从列表里抽一个元素，而不是抽一个范围里的整数；每个元素机会相同，原来的那个也在内。",
        "An element of the list is to be drawn, not an int from some range; all of them have the "
        "same chance, the original among them.",
    ),
)
LOT_HINTS = (
    (
        "一行里有 10 个槽位：调用一百次，每行有几个 [MASK]？总是一样多吗？",
        "A row has 10 slots: call it a hundred times. How many become [MASK] in a row, and is it "
        "always as many?",
    ),
    (
        "抽签的那一行代码，每个槽位各运行一次吗？发生器只造了一个吗？反复造，每次都从同一个数抽起。",
        "Does the line that draws run once for every slot (or draw one number for each)? And is "
        "there one generator? Made again and again, it begins with the same number every time.",
    ),
)
SAME_TOKEN_HINTS = (
    (
        "一行用上 20 个槽位，调用几十次：换成随机词元的那些槽位，抽到的各是谁？",
        "Make a row that uses 20 slots and call it some dozens of times: which tokens came into "
        "the slots that got a random one?",
    ),
    (
        "抽随机词元的那一行，每个槽位各运行一次吗？",
        "Does the line that draws a random token run once for every slot (or draw one for each)?",
    ),
)
LABEL_HINTS = (
    (
        "一个位置原来是“猫”，换成了 [MASK]：mask_ids 里应当是哪个编号？换成了随机词元呢？",
        "A position held “cat” and became [MASK]: which id belongs into mask_ids? And when a "
        "random token came in its place?",
    ),
    (
        "打印每个槽位的原词元、新词元和 mask_ids，三列对着看。",
        "Print original, new token and mask_ids of every slot, side by side.",
    ),
)
SLOT_HINTS = (
    (
        "一行用上了 2 个槽位，P = 4：剩下两个槽位里写的位置是几？那里站着谁？",
        "A row uses 2 of P = 4 slots: which position is written in the other two, and who stands "
        "there?",
    ),
    (
        "权重是 0 的槽位：句子不动，mask_ids 里是 0。",
        "A slot of weight 0 leaves the sentence alone and has 0 in mask_ids.",
    ),
)
FORM_HINTS = (
    (
        "说明里返回的是哪两样，各是什么形状？",
        "Which two things should come back, and in which shapes?",
    ),
    (
        "T = 9、P = 4 时，打印两个结果的形状和类型。",
        "With T = 9 and P = 4, print shapes and dtypes of both results.",
    ),
)

CORRUPTING = {
    "second_draw": (
        ({"mixture": "80_2_18"}, {"mixture": "80_18_2"}),
        "第二次判断又抽了一个新数（或者只在剩下的两成里取了一成）：随机词元不是 10%，而是 2% 或 "
        "18%。",
        "The second decision draws a new number (or takes a tenth of the rest only): random tokens "
        "are 2 % or 18 %, not 10 %.",
        SHARE_HINTS,
    ),
    "never_random": (
        ({"mixture": "80_0_20"}, {"mixture": "90_0_10"}, {"mixture": "15_0_85"}),
        "从来不换成随机词元：那一支永远走不到，或者没有写。",
        "No token ever becomes a random one: that branch is never reached, or missing.",
        SHARE_HINTS,
    ),
    "never_kept": (
        ({"mixture": "80_20_0"}, {"mixture": "90_10_0"}),
        "从来没有不动的：应当有 10% 保持原样。",
        "None ever stays as it is; 10 % should.",
        SHARE_HINTS,
    ),
    "always_the_mask": (
        {"mixture": "100_0_0"},
        "全都换成了 [MASK]：模型以后读的句子里没有 [MASK]，所以要留两成别的。",
        "All of them become [MASK]. Later sentences have no [MASK], which is why two tenths get "
        "something else.",
        SHARE_HINTS,
    ),
    "never_the_mask": (
        ({"mixture": "0_10_90"}, {"mixture": "0_90_10"}, {"mixture": "0_100_0"}),
        "从来不换成 [MASK]：那一支永远走不到。",
        "Nothing ever becomes [MASK]: that branch is never reached.",
        SHARE_HINTS,
    ),
    "nothing_changed": (
        {"mixture": "0_0_100"},
        "什么也没有换：返回的一批和原来一样。",
        "Nothing is exchanged: the batch comes back as it was.",
        SHARE_HINTS,
    ),
    "other_shares": (
        (
            {"mixture": "10_10_80"},
            {"mixture": "10_80_10"},
            {"mixture": "12_2_86"},
            {"mixture": "thirds"},
        ),
        "三种结果的份额不对：应当是 80%、10%、10%。",
        "The shares of the three fates are wrong; they should be 80 %, 10 % and 10 %.",
        SHARE_HINTS,
    ),
    "exactly_so_many": (
        ({"lots": "exactly_in_a_row"}, {"lots": "exactly_in_a_call"}),
        "每行（或每批）正好八成是 [MASK]：份额是平均来看的，每个槽位各抽各的签。",
        "Exactly eight tenths of every row (or batch) become [MASK]. Shares hold on average; every "
        "slot draws its own lot.",
        LOT_HINTS,
    ),
    "one_lot_for_all": (
        (
            {"lots": "row"},
            {"lots": "batch"},
            {"lots": "row", "tokens": "row"},
            {"lots": "batch", "tokens": "batch"},
        ),
        "一行（或一批）的槽位共用了一次抽签，结果全一样。",
        "All slots of a row (or batch) share one lot and one fate.",
        LOT_HINTS,
    ),
    "fates_by_slot": (
        {"lots": "by_slot"},
        "没有抽签：结果由槽位的号码定，每一行都是同样几个槽位换成 [MASK]。",
        "No lots are drawn: the number of a slot decides, and in every row the same slots become "
        "[MASK].",
        LOT_HINTS,
    ),
    "own_mask_id": (
        {"mask_use": "four"},
        "没有用参数 mask_id，换上的总是编号 4：是用了外面的名字（如 vocabulary.mask_id），"
        "还是写死了？",
        "The argument mask_id isn't used; id 4 is put in instead. Is it a name from outside, such "
        "as vocabulary.mask_id, or is it written into the code?",
        (
            (
                "调用时给 mask_id = 99：结果里有没有 99？",
                "Call it with mask_id = 99: does 99 come up?",
            ),
            (
                "函数里用到的每个名字，是参数，还是外面的？",
                "Which names in the function are arguments, and which come from outside?",
            ),
        ),
    ),
    "one_random_token": (
        ({"tokens": "row"}, {"tokens": "batch"}),
        "一行（或一批）里换上的随机词元全是同一个：每个槽位应当各抽各的。",
        "The random tokens of a row (or batch) are all the same; every slot should draw its own.",
        SAME_TOKEN_HINTS,
    ),
    "random_ids_from_a_range": (
        (
            {"source": "up_to_the_largest"},
            {"source": "below_the_largest"},
            {"source": "first_to_last"},
            {"source": "number_of_ordinary"},
        ),
        "随机词元是从一个范围里抽的整数，不是 ordinary_ids 里的编号：特殊词元也会混进来。",
        "Random tokens are ints from a range, not ids of ordinary_ids: special tokens slip in.",
        TOKEN_HINTS,
    ),
    "some_token_never_drawn": (
        ({"source": "last_never"}, {"source": "first_never"}, {"source": "always_the_first"}),
        "有的普通词元从来抽不到：范围差了一个，或者总是同一个。",
        "Some ordinary tokens are never drawn: the range is off by one, or it is always the same "
        "token.",
        TOKEN_HINTS,
    ),
    "never_the_original": (
        {"source": "never_the_original"},
        "抽随机词元时把原来的那个排除了：约定抽到它也算数。",
        "The original is left out when a random token is drawn; it may come up like the others.",
        TOKEN_HINTS,
    ),
    "labels_after_the_change": (
        {"labels": "after"},
        "mask_ids 是改过以后才取的：答案成了 [MASK] 自己。",
        "mask_ids are taken after the change: the answers are [MASK] itself.",
        LABEL_HINTS,
    ),
    "labels_are_something_else": (
        ({"labels": "positions"}, {"labels": "mask_id"}),
        "mask_ids 里不是词元：是位置，或者全是 [MASK] 的编号。",
        "mask_ids don't hold tokens, but positions, or the id of [MASK].",
        LABEL_HINTS,
    ),
    "unused_slots_have_answers": (
        ({"spare": "first_token"}, {"spare": "minus_hundred"}, {"spare": "minus_one"}),
        "空着的槽位里，mask_ids 不是 0：是位置 0 上的词元，或者别的记号。",
        "In unused slots mask_ids isn't 0, but the token at position 0 or some other mark.",
        SLOT_HINTS,
    ),
    "position_zero_left_out": (
        {"used_by": "positions"},
        "用 mask_positions > 0 来认用上的槽位：位置 0 也可能挑中，用没用上只看 mask_weights。",
        "Slots in use are told by mask_positions > 0; but position 0 may be picked, too, and only "
        "mask_weights says which slots are in use.",
        SLOT_HINTS,
    ),
    "unused_slots_written": (
        {"unused": "written"},
        "空着的槽位也动手了：它们写的位置是 0，于是每行开头的 [CLS] 被换掉了。",
        "Unused slots do something too: their position is 0, and so the [CLS] at the start of the "
        "row is exchanged.",
        SLOT_HINTS,
    ),
    "other_places_changed": (
        ({"where": "everywhere"}, {"where": "positions_of_the_first_row"}),
        "改错了地方：整行都换了，或者每一行用了第一行的位置。",
        "Other places are changed: the whole row, or those of the first row in every row.",
        (
            (
                "打印一行改动前后的编号：哪几列不同？跟 mask_positions 对得上吗？",
                "Print a row before and after: which columns differ, and are they those of "
                "mask_positions?",
            ),
            (
                "第 b 行的位置，只管第 b 行。",
                "The positions of row b are about row b only.",
            ),
        ),
    ),
    "only_the_first_row": (
        {"rows": "only_the_first"},
        "只有第一行动过，后面的行都原样不动：return 是不是缩进到行的循环里去了？",
        "Only the first row is worked on, and all others stay as they are: is return indented into "
        "the loop over rows?",
        FIRST_ROW_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "corrupted_only"},
            {"returned": "exchanged"},
            {"returned": "whole_labels"},
            {"returned": "floats"},
            {"returned": "lists"},
        ),
        "返回的不是（改过的一批，mask_ids）两个数组：少了一样，次序反了，是列表，答案是整行的，"
        "或者不是整数。",
        "What comes back isn't two arrays (corrupted, mask_ids): one is missing, they are "
        "exchanged, they are lists, the answers are whole rows, or they aren't ints.",
        FORM_HINTS,
    ),
    "seed_not_used": (
        ({"seed_use": "ignored"}, {"seed_use": "fixed"}),
        "种子没有用上：同一个种子给出不同的结果，或者换了种子结果还一样。",
        "The seed isn't used: one seed gives different results, or different seeds the same.",
        SEED_HINTS,
    ),
    "argument_written": CHOOSING["argument_written"],
}
