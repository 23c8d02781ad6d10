"""Mistakes in pairing sentences: switches, sentences and hints."""

from autograder.exercises.ch05b_choose_hints import SEED_HINTS

PAIR_HINTS = (
    (
        "两篇文档，a b c 和 d e：写下所有的对子，一共几对？第一句依次是谁？",
        "Two documents, a b c and d e: write down all pairs. How many are there, and what are "
        "their first sentences?",
    ),
    (
        "一篇文档的最后一句没有下一句，不跟别的文档相邻。",
        "The last sentence of a document has no next one, and is no neighbour of another document.",
    ),
)
WRONG_HINTS = (
    (
        "文档 a b c 和 d e，第一句是 a：假的第二句可以是哪几个？调用一百次，出现过谁？",
        "Documents a b c and d e, and a first sentence a: which second sentences may be false "
        "ones? Call it a hundred times: who comes up?",
    ),
    (
        "别的文档有长有短：是每篇机会相同，还是每句机会相同？约定是后一种。",
        "Other documents are long and short: has every document the same chance, or every "
        "sentence? It should be the latter.",
    ),
)
LABEL_HINTS = (
    (
        "标签是 0 的对子，打印几个出来：第二句是不是真的下一句？",
        "Print some pairs with label 0: is the second sentence really the next one?",
    ),
    (
        "0 = 是下一句，1 = 不是。",
        "0 means it is the next one, 1 that it isn't.",
    ),
)
LOT_HINTS = (
    (
        "调用十次，每次把标签打印成一行：看得出规律吗？不应当有。",
        "Call it ten times and print each time's labels in a row: do you see a pattern? There "
        "should be none.",
    ),
    (
        "抽签的那一行，每一对各运行一次吗？抽句子的那一行呢？",
        "Does the line that draws the lot run once for every pair? And the one that draws a "
        "sentence?",
    ),
)
FORM_HINTS = (
    (
        "一对是（第一句，第二句，标签）：打印一个，看看次序和类型。",
        "A pair is (first, second, label): print one and look at order and types.",
    ),
    (
        "返回的是一个列表，里面是三元组。",
        "What comes back is a list of triples.",
    ),
)
AGAIN_HINTS = (
    (
        "三篇文档，调用十次：每次把各篇的标签上下对齐打印，看得出什么？",
        "Call it ten times with three documents, and print their labels below each other: what do "
        "you see?",
    ),
    (
        "随机数发生器在哪里造？一次调用里该造几个？",
        "Where is the generator made, and how many of them should one call make?",
    ),
)
RETURN_HINTS = (
    (
        "两篇文档，a b c 和 d e：返回了几对？第一句里有没有 d？",
        "Two documents, a b c and d e: how many pairs come back, and is d among the first "
        "sentences?",
    ),
    (
        "函数一走到 return 就结束了。你的 return 前面空了几格，属于哪一层？",
        "A function ends where it meets return. How far is yours indented, and to which block does "
        "it belong?",
    ),
)
REFUSAL_HINTS = (
    (
        "只有一篇文档时，假的下一句从哪里来？",
        "With a single document, where could a false sentence come from?",
    ),
    (
        "先数一数有几篇文档，不够两篇就拒绝。",
        "Count the documents first and refuse fewer than two.",
    ),
)

PAIRS = {
    "own_document_among_the_wrong": (
        (
            {"negatives": "anywhere"},
            {"negatives": "anywhere_but_next"},
            {"negatives": "anywhere_but_the_pair"},
            {"negatives": "any_document_first"},
        ),
        "假的第二句可能出自同一篇文档，甚至就是真的下一句；应当只从别的文档里抽。",
        "A false sentence may come from the same document, or even be the next one; it should be "
        "drawn from the other documents only.",
        WRONG_HINTS,
    ),
    "only_the_own_document": (
        (
            {"negatives": "own_document"},
            {"negatives": "own_document_but_next"},
            {"negatives": "own_document_but_the_pair"},
            {"negatives": "true_next"},
        ),
        "假的第二句总出自同一篇文档；应当从别的文档里抽。",
        "False sentences always come from the same document; they should be drawn from the others.",
        WRONG_HINTS,
    ),
    "document_drawn_first": (
        {"negatives": "document_first"},
        "先抽文档，再抽句子：短文档里的句子机会就大了；约定每一句机会相同。",
        "First a document is drawn and then a sentence of it, so that sentences of short documents "
        "come up more often; every sentence should have the same chance.",
        WRONG_HINTS,
    ),
    "some_sentences_never_drawn": (
        (
            {"negatives": "last_never"},
            {"negatives": "first_never"},
            {"negatives": "second_sentences"},
            {"negatives": "no_single_sentences"},
            {"negatives": "next_document"},
            {"negatives": "first_sentence_of_a_document"},
            {"negatives": "always_the_first"},
        ),
        "别的文档里有的句子从来抽不到：范围差了一个，漏了只有一句的文档，只从一篇里抽，或者总是同一句。",
        "Some sentences of other documents are never drawn: the range is off by one, documents of "
        "one sentence are left out, only one document is used, or it is always the same sentence.",
        WRONG_HINTS,
    ),
    "labels_inverted": (
        {"label": "inverted"},
        "标签反了：0 = 是下一句，1 = 不是。",
        "The labels are inverted: 0 means it is the next one, 1 that it isn't.",
        LABEL_HINTS,
    ),
    "all_real": (
        {"rate": "never"},
        "全是真的下一句：应当有一半是假的。",
        "All pairs are real; half of them should be false.",
        LABEL_HINTS,
    ),
    "all_wrong": (
        {"rate": "always"},
        "全是假的：应当有一半是真的下一句。",
        "All pairs are false; half of them should be real.",
        LABEL_HINTS,
    ),
    "another_share": (
        ({"rate": "rare"}, {"rate": "third"}),
        "真假的份额不对：应当一半一半。",
        "The share of false pairs isn't one half.",
        LABEL_HINTS,
    ),
    "real_and_wrong_in_turn": (
        {"lots": "in_turn"},
        "真假轮流来，没有抽签：模型只要数一数就知道答案。",
        "Real and false pairs take turns, nothing is drawn; a model would only have to count.",
        LOT_HINTS,
    ),
    "exactly_half_wrong": (
        ({"lots": "exactly_half"}, {"lots": "exactly_half_up"}),
        "每次调用里假的正好一半：一半是平均来看的，每一对各抽各的签。",
        "Just half of the pairs of every call are false. That holds on average; every pair draws "
        "its own lot.",
        LOT_HINTS,
    ),
    "one_lot_for_all": (
        ({"lots": "document"}, {"lots": "call"}),
        "一篇文档（或一次调用）里的对子全真或全假：签只抽了一次，或者发生器在循环里一再重造，每次都"
        "抽到同一个数。",
        "The pairs of a document (or call) are all real or all false: a single lot is drawn, or "
        "the generator is made anew for every pair and always draws the same number.",
        LOT_HINTS,
    ),
    "documents_draw_alike": (
        {"lots": "again_in_every_document"},
        "每篇文档都从同样的随机数开始：发生器在循环里又造了一遍，各篇真假的次序就一样了。",
        "Every document begins with the same random numbers: the generator is made anew for each, "
        "and their real and false pairs come in the same order.",
        AGAIN_HINTS,
    ),
    "one_wrong_sentence_for_all": (
        ({"drawn": "document"},),
        "一篇文档里假的第二句全是同一句：每一对应当各抽各的。",
        "All false sentences of a document are the same; every pair should draw its own.",
        LOT_HINTS,
    ),
    "pairs_across_documents": (
        {"pairs": "across_documents"},
        "一篇文档的最后一句跟下一篇的第一句也配成了一对。",
        "The last sentence of a document is paired with the first of the next.",
        PAIR_HINTS,
    ),
    "only_the_first_document": (
        {"pairs": "first_document_only"},
        "只有第一篇文档配了对：return 是不是缩进到文档的循环里去了？",
        "Only the first document is paired: is return indented into the loop over documents?",
        RETURN_HINTS,
    ),
    "other_numbers_of_pairs": (
        (
            {"pairs": "every_second"},
            {"pairs": "last_pair_missing"},
            {"pairs": "both_kinds"},
            {"pairs": "last_sentences_too"},
        ),
        "对子的个数不对：每两个相邻的句子正好一对，不跳过，也不一真一假各来一个。",
        "The number of pairs is wrong: there is one for every two neighbours, none is skipped, and "
        "there isn't a real and a false one for each.",
        PAIR_HINTS,
    ),
    "order_changed": (
        ({"pairs": "shuffled"}, {"pairs": "sorted"}, {"pairs": "first_is_drawn"}),
        "第一句的次序变了：应当按原来的次序，第一句也不抽。",
        "The first sentences are in another order; they keep their own, and aren't drawn.",
        PAIR_HINTS,
    ),
    "something_else_returned": (
        (
            {"returned": "label_first"},
            {"returned": "a_dict"},
        ),
        "返回的不是三元组（第一句，第二句，标签）的列表。",
        "What comes back isn't a list of triples (first, second, label).",
        FORM_HINTS,
    ),
    "single_document_accepted": (
        ({"refusal": "missing"}, {"refusal": "empty_only"}),
        "只有一篇文档时没有抛出 ValueError。",
        "A single document raises no ValueError.",
        REFUSAL_HINTS,
    ),
    "two_documents_refused": (
        {"refusal": "one_more"},
        "两篇文档也拒绝了：两篇就够了。",
        "Two documents are refused, although they are enough.",
        REFUSAL_HINTS,
    ),
    "seed_not_used": (
        ({"seed_use": "ignored"}, {"seed_use": "fixed"}),
        "种子没有用上：同一个种子给出不同的结果，或者换了种子结果还一样。",
        "The seed isn't used: one seed gives different results, or different seeds the same.",
        SEED_HINTS,
    ),
}
