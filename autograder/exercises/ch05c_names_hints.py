"""Hints about matching the names of tensors, the vaguest first."""

ROW_HINTS = (
    (
        "一个块里有八层带参数的层：一个一个地打印名字和得到的路径，对着 places 看。",
        "A block has eight layers with weights: print each name beside the path it gets, and hold "
        "them against places.",
    ),
    (
        "有的名字是另一个名字的一部分，比如 output.dense。要整段比，不要找子串。",
        "Some names are parts of others, output.dense for one. Compare all of a name, and don't "
        "search for pieces.",
    ),
)
ENDING_HINTS = (
    (
        "最后一个点后面的词，对嵌入表、全连接层、层归一化各是什么意思？",
        "What does the word after the last dot mean for a table, for a dense layer, for a norm?",
    ),
    (
        "层归一化的 weight 乘在前面，bias 加在后面：我们的 gamma 和 beta 哪个是哪个？",
        "A norm's weight multiplies and its bias is added: which of our gamma and beta is which?",
    ),
)
ANY_ENDING_HINTS = (
    (
        "试试 pooler.dense.gamma 和 embeddings.word_embeddings.bias：应当抛出 ValueError。",
        "Try pooler.dense.gamma and embeddings.word_embeddings.bias: ValueError is due.",
    ),
    (
        "最后一个 else 把别的结尾都收下了吗？每一类层有自己的结尾，表里没有的就报错。",
        "Does a last else take all other endings? Every kind of layer has endings of its own, and "
        "what isn't in the table raises.",
    ),
)
TRANSPOSE_HINTS = (
    (
        "哪些张量是“出 × 入”存的？嵌入表是不是？向量要不要转置？",
        "Which tensors are stored as out × in? Are tables? And does a vector need transposing?",
    ),
    (
        "看约定里那张表的最后一列。",
        "The last column of the table in the contract says it.",
    ),
)
PAIR_HINTS = (
    (
        "把题目里那个例子的名字交给你的函数，打印 type(...)：是一对吗？第二项是不是真假值？",
        "Give your function the name in the contract's example and print type(...): is it a pair, "
        "and is its second part a truth value?",
    ),
    (
        "两样一起返回，用逗号隔开：先路径，后 True 或 False。",
        "Both come back together, with a comma between: first the path, then True or False.",
    ),
)
NOTHING_HINTS = (
    (
        "打印 convert_name(...) 的结果，名字取题目里的那一个：得到什么？",
        "Print what convert_name(...) gives for the name in the contract's example.",
    ),
    (
        "每一条路走到底，都要么交回一对，要么交回 None，要么 raise；print 不算返回。",
        "Every way through the function ends in returning a pair, in returning None, or in "
        "raising; print returns nothing.",
    ),
)
NUMBER_HINTS = (
    (
        "试试 encoder.layer.x.attention.self.key.weight：得到什么？",
        "Try encoder.layer.x.attention.self.key.weight: what comes of it?",
    ),
    (
        "换成 # 之前，先看那一段是不是数字。",
        "Before that part becomes a #, see whether it is a number.",
    ),
)
PUT_BACK_HINTS = (
    (
        "把题目里那个例子的名字交给你的函数，打印路径：3 到哪里去了？",
        "Give your function the name in the contract's example and print the path: where is the 3?",
    ),
    (
        "places 的两边都有 #：查到路径以后，编号要填回 # 的位置。",
        "places has a # on both sides: once the path is found, the number replaces its #.",
    ),
)
LAYER_HINTS = (
    (
        "试试 encoder.layer.10 和 encoder.layer.11，打印得到的路径。",
        "Try encoder.layer.10 and encoder.layer.11, and print the paths that come of them.",
    ),
    (
        "两边的编号都从 0 数起，编号也可能有两位数。",
        "Both sides count from 0, and a number may have two digits.",
    ),
)
PREFIX_HINTS = (
    (
        "同一个名字，有 bert. 和没有 bert.，各试一次。",
        "Try one name with bert. in front and without.",
    ),
    (
        "先去掉开头的 bert.，有就去，没有就算了；得到的路径里不带它。",
        "Take bert. away first, if it is there; the path doesn't have it.",
    ),
)
LETTERS_HINTS = (
    (
        "把 embeddings.LayerNorm.bias 交给去前缀的那一行，打印结果：开头少了几个字母？",
        "Hand embeddings.LayerNorm.bias to the line that takes the prefix away and print what is "
        "left: how many letters are gone?",
    ),
    (
        "lstrip 收到的是一堆字母，开头只要是其中之一就去掉；要去的是一整个词。",
        "lstrip is given a set of letters and takes away whatever of them stands in front; what "
        "is to go is a word, as a whole.",
    ),
)
FORM_HINTS = (
    (
        "把题目里那个例子的名字交给你的函数，结果跟题目写的逐段比。",
        "Give your function the name in the contract's example, and compare part by part.",
    ),
    (
        "前面不带骨干的名字；各段用 / 隔开；最后一段看约定里那张表的中间一列。",
        "No name of the backbone in front; / between the parts; and the last part is in the "
        "middle column of the contract's table.",
    ),
)
WHOLE_HINTS = (
    (
        "试试 pooler.dense.adapter.weight 和 roberta.pooler.dense.weight：BERT 里没有这样的名字。",
        "Try pooler.dense.adapter.weight and roberta.pooler.dense.weight: a BERT has no such "
        "tensors.",
    ),
    (
        "两个点之间的每一段都要对上，一段也不能多：整段比，不要找子串。",
        "Every part between two dots has to match, with none to spare: compare all of the name, "
        "and don't search for pieces.",
    ),
)
REFUSAL_HINTS = (
    (
        "试试 classifier.weight，再试试 pooler.dense.gamma：各抛出什么错误？是抛出的吗？",
        "Try classifier.weight, then pooler.dense.gamma: which error is raised by each? And is it "
        "raised?",
    ),
    (
        "查字典之前先问在不在；不在，就用 raise 抛出约定的那一种。",
        "Ask whether a dict has the key before you look it up; if not, raise the error that was "
        "agreed on.",
    ),
)
SKIP_HINTS = (
    (
        "约定里列了四种返回 None 的名字：每种试一个。",
        "The contract lists four kinds of names that give None: try one of each.",
    ),
    (
        "先认出不要的那几种，再去找地方；找不到地方的才报错。",
        "Recognise what isn't wanted first, then look for a place; only what has none raises.",
    ),
)
SKIP_WHOLE_HINTS = (
    (
        "试试 model.cls.predictions.bias 和 adam_m.weight：BERT 里没有这样的名字，应当报错。",
        "Try model.cls.predictions.bias and adam_m.weight: a BERT has no such names, and they "
        "should raise.",
    ),
    (
        "约定说的是开头和结尾；你问的是名字里有没有。",
        "The contract speaks of how names begin and end; do you ask what they contain?",
    ),
)
