# %% [markdown] lang="zh"
r"""
# 7a BERT 里面：头在看什么

前几章把 BERT 搭起来、练起来、用起来，一直把它当作一个整体。这一章打开它看：注意力的权重就摆在那里，每层 12 个头，每个头一张表，谁看谁，看了几成。

看权重很容易，**看出名堂来很难**。一个六层的小 BERT 就有 72 个头，一句 20 个词元的话，每个头 400 个数，一共将近三万个。只要肯翻，总能翻出一张“一看就懂”的图：这个头在找主语，那个头在找“它”指谁。可是翻出来的东西，换一句话还在不在？

所以这一章的办法是：**先说好怎么数，再把所有的头都数一遍，一个也不挑**。要写的是六把尺子：头看得宽不宽，看得远不远，有几成落在特殊词元上，是不是总看某一种关系，两个头像不像，关掉它会怎样；外加一个从梯度出发、不看注意力的办法。最后回答那个人人都问的问题：注意力的权重，算不算解释？

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `attention_entropy` | 5 | 15 | 核心 | 奈特；0 ln 0 = 0；所有行的真查询一起平均 | 随机的注意力 |
| `attention_distance` | 5 | 12 | 核心 | 词元数，不分左右；按权重平均 | 随机的注意力 |
| `mass_on_special` | 4 | 10 | 核心 | 特殊词元自己不算查询 | 随机的注意力 |
| `head_relation_accuracy` | 6 | 20 | 核心 | 只在候选里挑；一样大取第一个；−1 = 没有 | 种下关系的注意力 |
| `head_similarity` | 7 | 25 | 核心 | 1 − JSD / ln 2；先算散度，再平均 | 随机的注意力 |
| `head_ablation` | 5 | 15 | 核心 | 关掉 = 投影之前乘 0；偏置不动，不补偿 | 随机张量 |
| `integrated_gradients` | 4 | 15 | 加分 | 取每一小段的中点 | 手写的函数 |
| `drill_ch07a_heads` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch07a_heads` | 0 | 12 | 核心 | 老师评阅，不计入 42 分 | 本章的图和数字 |

核心练习 38 分，加分题 4 分，共 42 分。只做练习两小时多一点，连同实验三小时；7a.6 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 7a Inside BERT: what the heads look at

So far BERT was built, trained and used as a whole. Now we open it. The attention weights are there for the asking: twelve heads a layer, and for each head a table of who looks at whom, and how much.

To look at weights is easy; **to learn something from them is hard**. A small BERT of six layers has 72 heads, and for a sentence of 20 tokens each of them has 400 numbers, nearly thirty thousand in all. Leaf through them for long enough and you will always find a picture that explains itself: this head looks for the subject, that one knows who "it" is. But is it still there in the next sentence?

So here is how we go about it: **first agree on how to count, then count all heads, and pick none**. You write six measures: how widely a head looks, how far, how much of it goes to special tokens, whether it always looks along some relation, how alike two heads are, and what happens when it is switched off; and one method that goes by gradients and doesn't look at attention at all. At the end stands the question that everybody asks: do attention weights explain anything?

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `attention_entropy` | 5 | 15 | core | nats; 0 ln 0 = 0; one mean over the real queries of all rows | random attention |
| `attention_distance` | 5 | 12 | core | in tokens, left and right alike; a mean by weight | random attention |
| `mass_on_special` | 4 | 10 | core | special tokens don't count as queries | random attention |
| `head_relation_accuracy` | 6 | 20 | core | chooses among candidates; of equals the first; −1 = none | attention with planted relations |
| `head_similarity` | 7 | 25 | core | 1 − JSD / ln 2; first the divergence, then the mean | random attention |
| `head_ablation` | 5 | 15 | core | off = times 0 before the projection; the bias stays, nothing is rescaled | random tensors |
| `integrated_gradients` | 4 | 15 | stretch | the middle of each small part | functions by hand |
| `drill_ch07a_heads` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch07a_heads` | 0 | 12 | core | read by your teacher, not part of the 42 points | the pictures and numbers of this notebook |

38 core points and 4 for the stretch exercise, 42 in all. The exercises take a little over two hours, with the experiments three; just before 7a.6 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, chart, chart_words

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 7a.1 打开看看

拿来看的是 MiniLM（5c 里见过）：英文的，六层，每层 12 个头，隐藏维度 384，所以一个头是 32 维。它的权重第一次用时取一次（80 MB），取不到就跳过，不影响得分。它只懂英文，所以这一章两种语言的版本看的都是英文句子；后面的尺子跟语言无关，换成你自己的中文检查点，`bert-keras analyze` 一条命令就能量（见 7a.9）。

下面的图可以点：选层和头，或者先点一下图，再按方向键；指着左边一个词，只看它的线，点一下就固定住。左边是查询（谁在看），右边是键（看谁），线越粗越深，权重越大。词旁边的 A、B 是片段：两句话拼成一行。（如果只看到一张不会动的图，说明笔记本还没有被信任：重新运行这个单元格就行。）

**先猜，再翻。** 翻上两分钟，72 个头都可以看：

1. 有没有头总看前一个词，或者后一个词？
2. 有没有头把大部分权重搁在 [SEP] 或 [CLS] 上？
3. 有没有头从 it 看向 animal？
"""

# %% [markdown] lang="en"
r"""
## 7a.1 Open it and look

We look into MiniLM, which you met in 5c: English, six layers of 12 heads, hidden size 384, so that a head has 32 dimensions. It is fetched when first used (80 MB); if it can't be had, the cells are skipped and no points are lost. The measures that follow have nothing to do with the language; `bert-keras analyze` takes them of any checkpoint of yours with one command (see 7a.9).

The picture below can be clicked: choose layer and head, or click on it and use the arrow keys; point at a word on the left to see its lines only, and click to keep them. On the left are queries (who looks), on the right keys (at whom); the wider and darker a line, the larger the weight. A and B beside the words are segments: two sentences packed in one row. (If you see a picture that doesn't move, the notebook isn't trusted yet: run this cell.)

**Predict, then leaf through.** Take two minutes; all 72 heads are there:

1. Is there a head that always looks at the word before, or at the word after?
2. Is there one that rests most of its weight on [SEP] or on [CLS]?
3. Is there one that looks from it to animal?
"""

# %% tags=["experiment"]
import tempfile

from bert_keras.analysis.head_view import head_view
from bert_keras.analysis.heads import attention_of
from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.text import packing
from bert_keras.text.corpora import bbc_news
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.wordpiece import WordPieceTokenizer

model = None  # and what is measured on it, if it can't be had
try:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
    paragraphs = [one.text for one in bbc_news.load()["test"]]
except CorpusError as problem:
    say(
        f"取不到 MiniLM 或报纸，跳过：{problem}", f"MiniLM or the newspaper can't be had: {problem}"
    )
else:
    model = build_backbone(checkpoint, dropout=0.0)
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)


def read(rows, length):
    """Pairs of texts (the second may be None) as inputs, and the tokens of every row."""
    ids = [tuple(one and tokenizer.encode(one) for one in row) for row in rows]
    inputs = packing.pack_batch(ids, checkpoint.vocabulary, length)
    real = zip(inputs["token_ids"], inputs["padding_mask"])
    return inputs, [checkpoint.vocabulary.words(row[mask]) for row, mask in real]


if model is not None:
    two = [("The animal didn't cross the street.", "It was too tired.")]
    pair, (pair_tokens,) = read(two, 18)
    count = len(pair_tokens)
    pair_weights = attention_of(model, pair)[:, 0, :, :count, :count]  # (L, N, T, T)
    segments = pair["segment_ids"][0, :count]
    display(head_view(pair_tokens, pair_weights, segments, language=LANG, layer=1, head=3))

# %% [markdown] lang="zh"
r"""
1-3 号头（图一开始停在它上面）一看就懂：每个词都看前一个。再翻几层，也许你找到了一个从 it 指向 animal 的头。可这是**一句话**。72 个头，一句话里总有几个最大的权重碰巧落在 animal 上。要是写文章的人只给你看这一张，你怎么知道他翻了几张？

下面换个办法：从 BBC 新闻（2004 到 2005 年，留出的部分；文字版权归 BBC）里抽 40 段，每段不超过 38 个词元，以句号结尾，量**所有的头**。
"""

# %% [markdown] lang="en"
r"""
Head 1-3, where the picture starts, explains itself: every word looks at the one before. Go on, and perhaps you find a head that looks from it to animal. But that is **one sentence**. Of 72 heads a few will have their largest weight on animal by accident. If the author of a paper showed you just this one, how would you know through how many he has leafed?

So we do it another way: 40 paragraphs of BBC news (2004 and 2005, from the held-out part; the texts belong to the BBC), none longer than 38 tokens, each ending with a full stop; and **all heads** are measured.
"""

# %% tags=["experiment"]
attention = None  # (L, B, N, T, T), filled here
if model is not None:
    short = [
        one for one in paragraphs if one.endswith(".") and 10 <= len(tokenizer.encode(one)) <= 38
    ]
    order = np.random.default_rng(0).permutation(len(short))[:40]
    inputs, tokens = read([(short[n], None) for n in order], 40)
    padding_mask = inputs["padding_mask"]  # (B, T)
    attention = attention_of(model, inputs)
    LAYERS, ROWS, HEADS, LENGTH = attention.shape[:4]
    print(*tokens[0])
    say(
        f"{LAYERS} 层 × {HEADS} 个头，{ROWS} 段，{padding_mask.sum()} 个真词元，"
        f"{attention.size:,} 个权重",
        f"{LAYERS} layers × {HEADS} heads, {ROWS} paragraphs, {padding_mask.sum()} real tokens, "
        f"{attention.size:,} weights",
    )

# %% [markdown] lang="zh"
r"""
## 7a.2 练习：看得宽，看得远

**宽不宽。** 一个查询的权重是键上的一个分布 $a_0, \dots, a_{T-1}$，加起来是 1。**熵**说的是它有多散：

$$H = -\sum_j a_j \ln a_j$$

全在一个键上，$H = 0$；n 个键平分，$H = \ln n$。所以 $e^H$ 可以读作“大约看了几个词”。

在纸上：`weights` 是 (B, N, T, T)，对最后一个轴（键）求和，剩下 (B, N, T)，每行、每头、每个查询一个熵；只留真查询，行和查询合成一个轴 (Q, N)；再平均，(N,)。

这一章凡是“平均”都这么做：**所有行的真查询放在一起**平均，长的行查询多，分量就重。填充位置的查询也算出了一行权重，那是没有意义的数，不能混进来。

写 `attention_entropy(weights, padding_mask)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `weights` | (B, N, T, T) | 浮点数组，softmax 之后的权重，[行, 头, 查询, 键]；真查询的每一行加起来是 1；关上的键恰好是 0；填充查询那些行里什么数都可能有（都是有限的） |
| `padding_mask` | (B, T) | bool 数组，True = 真词元；至少有一个 True |

- 0 ln 0 当作 0，结果里不许有 NaN。别靠“加一个小数”躲开 0：要准到 $10^{-5}$（相对误差），$10^{-6}$ 加在对数里面就过不了。
- **返回** (N,) 的浮点数组，单位是奈特（自然对数）：所有真查询的熵的平均。
- 用 NumPy；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
## 7a.2 Exercise: how wide, how far

**How wide.** The weights of a query are a distribution over the keys, $a_0, \dots, a_{T-1}$, and add up to 1. Its **entropy** says how spread out it is:

$$H = -\sum_j a_j \ln a_j$$

All on one key gives $H = 0$, shared equally by n keys $H = \ln n$. So $e^H$ can be read as "about how many words it looks at".

On paper: `weights` is (B, N, T, T); a sum over the last axis, the keys, leaves (B, N, T), an entropy for each row, head and query; keep the real queries, with rows and queries in one axis, (Q, N); and take the mean, (N,).

Every mean in this notebook is taken that way: over the real queries **of all rows together**, so that a long row, which has more queries, counts more. Queries at padding have weights, too, but these mean nothing and must not get in.

Write `attention_entropy(weights, padding_mask)`:

| Argument | Shape | Notes |
|---|---|---|
| `weights` | (B, N, T, T) | float array, weights after the softmax, [row, head, query, key]; those of a real query add up to 1; a closed key has exactly 0; those of a padding query may be anything (finite) |
| `padding_mask` | (B, T) | bool array, True = a real token; at least one is True |

- 0 ln 0 counts as 0, and no NaN may come out. Don't step around 0 by adding something small: the result has to be right to $10^{-5}$ (relative), and with $10^{-6}$ inside the logarithm it isn't.
- **Returns** a float array of shape (N,), in nats (natural logarithm): the mean entropy of all real queries.
- Use NumPy, and don't change the arrays that you are handed.
"""

# %% exercise="attention_entropy"
from bert_keras.analysis.heads import attention_entropy

# %% check="attention_entropy"
check("attention_entropy", attention_entropy)

# %% [markdown] lang="zh"
r"""
**远不远。** 第 i 个查询看第 j 个键，隔着 $|i - j|$ 个词元。按权重平均：

$$d_i = \sum_j a_{ij} \, |i - j|$$

写 `attention_distance(weights, padding_mask)`：

- `weights`：(B, N, T, T) 的浮点数组，`padding_mask`：(B, T) 的 bool 数组，约定同上一题。
- 左边右边一样算，不分正负；看自己，距离是 0。不除以句子的长度。
- **返回** (N,) 的浮点数组，单位是词元：所有真查询的 $d_i$ 的平均。
"""

# %% [markdown] lang="en"
r"""
**How far.** When query i looks at key j, they are $|i - j|$ tokens apart. The mean by weight:

$$d_i = \sum_j a_{ij} \, |i - j|$$

Write `attention_distance(weights, padding_mask)`:

- `weights`: float array of shape (B, N, T, T), `padding_mask`: bool array of shape (B, T), both as in the exercise before.
- Left and right count alike, there is no sign; looking at oneself is a distance of 0. Nothing is divided by the length of the sentence.
- **Returns** a float array of shape (N,), in tokens: the mean of $d_i$ over all real queries.
"""

# %% exercise="attention_distance"
from bert_keras.analysis.heads import attention_distance

# %% check="attention_distance"
check("attention_distance", attention_distance)

# %% [markdown] lang="zh"
r"""
**看一看。** 72 个头，每个一个点；左边是熵，右边是距离。橙色的横杠是一层的平均；虚线是**什么也不挑**（每个词元看得一样多）的时候。

**先猜**：哪几层看得宽？Clark 等人（2019）在 BERT-base 里看到，很散的头多在最低的几层。越往上会越宽还是越窄？越远还是越近？
"""

# %% [markdown] lang="en"
r"""
**See it.** A dot for each of the 72 heads: on the left entropy, on the right distance. The orange bar is the mean of a layer; the dashed line is what comes out **if nothing is chosen** and all tokens are looked at equally.

**Predict**: which layers look widely? In BERT-base Clark et al. (2019) found very broad heads mostly in the lowest layers. On the way up, do heads look more widely or less? Further or nearer?
"""

# %% tags=["experiment"]
from bert_keras.analysis.layer_dots import layer_dots

entropy, distance = None, None  # (L, N)
if attention is not None and ready("attention_entropy", "attention_distance"):
    entropy = np.stack([attention_entropy(layer, padding_mask) for layer in attention])
    distance = np.stack([attention_distance(layer, padding_mask) for layer in attention])
    keys = padding_mask[:, None, None, :]  # (B, 1, 1, T)
    even = np.broadcast_to(keys / keys.sum(axis=-1, keepdims=True), attention.shape[1:])
    widest = attention_entropy(even, padding_mask)[0]
    farthest = attention_distance(even, padding_mask)[0]
    everywhere = text("不挑", "no choice")
    display(
        layer_dots(
            [
                (text("熵（奈特）", "entropy (nats)"), entropy, (widest, everywhere)),
                (text("距离（词元）", "distance (tokens)"), distance, (farthest, everywhere)),
            ],
            text("层", "layer"),
        )
    )
    for layer in range(LAYERS):
        say(
            f"第 {layer + 1} 层：平均看 {np.exp(entropy[layer]).mean():4.1f} 个词，"
            f"隔 {distance[layer].mean():4.1f} 个词元",
            f"layer {layer + 1}: looks at about {np.exp(entropy[layer]).mean():4.1f} words, "
            f"{distance[layer].mean():4.1f} tokens away",
        )

# %% [markdown] lang="zh"
r"""
照论文来猜，只猜对一半：第 1 层确实最宽，有几个头几乎什么也不挑；可同一层里也有 1-3，熵几乎是 0，只看前一个词。往上先变窄，到最后一层又宽起来。“低层宽、高层窄”一句话，装不下这张图。

再看右边：第 4 到第 6 层平均看得比“什么也不挑”还远。第 6 层本来就看得宽，不稀奇；第 4、5 层的熵不大，距离却大，多半是盯住了远处的什么。盯住了什么？
"""

# %% [markdown] lang="en"
r"""
Who went by the paper was half right: layer 1 is the broadest, and some of its heads choose next to nothing; yet in the same layer stands 1-3, with an entropy of almost 0, which looks at the word before and nowhere else. Going up, heads look more narrowly at first, and more widely again in the last layer. "Broad below and narrow above" doesn't cover this picture.

Now the right half: on average heads of layers 4 to 6 look further than if they chose nothing at all. Layer 6 looks widely anyhow; but the entropy of layers 4 and 5 is not large. They seem to stare at something far away. At what?
"""

# %% [markdown] lang="zh"
r"""
## 7a.3 练习：多少落在 [CLS] 和 [SEP] 上

熵不大、距离却大的头，看的是远处一个固定的地方。Clark 等人（2019）在 BERT-base 里数过：中间几层一半以上的权重落在 **[SEP]** 上。他们的猜测是：一个头在这个词上没事可做，就看 [SEP]，等于“弃权”；softmax 的权重总要加成 1，不看这里就得看那里。

写 `mass_on_special(weights, special_mask, padding_mask)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `weights` | (B, N, T, T) | 浮点数组，约定同 7a.2 |
| `special_mask` | (B, T) | bool 数组，True = 特殊词元；填充位置上是什么都行，那里的键权重是 0 |
| `padding_mask` | (B, T) | bool 数组，True = 真词元 |

- 查询只算**真的、自己又不是特殊词元**的，至少有一个：[SEP] 看 [SEP] 不稀奇，混进来会把数抬高。
- 一个查询给特殊词元的份额，是它落在 `special_mask` 为 True 的键上的权重之和。
- **返回** (N,) 的浮点数组，0 到 1 之间的份额（不是百分数）：这些查询的平均。

`special_mask` 不一定真是特殊词元：想知道多少落在句号上，把句号标成 True 就行。
"""

# %% [markdown] lang="en"
r"""
## 7a.3 Exercise: how much goes to [CLS] and [SEP]

Heads that look far with a small entropy look at one fixed place far away. Clark et al. (2019) counted in BERT-base: in the middle layers more than half of the weight is on **[SEP]**. Their guess is that a head that has nothing to do for this word looks at [SEP] by way of abstaining; weights after a softmax add up to 1, so not to look here means to look there.

Write `mass_on_special(weights, special_mask, padding_mask)`:

| Argument | Shape | Notes |
|---|---|---|
| `weights` | (B, N, T, T) | float array, as in 7a.2 |
| `special_mask` | (B, T) | bool array, True = a special token; at padding it may be anything, for keys there have weight 0 |
| `padding_mask` | (B, T) | bool array, True = a real token |

- Queries are those that are **real and no special tokens themselves**, at least one: that [SEP] looks at [SEP] is no surprise, and would only push the figure up.
- What a query gives to special tokens is the sum of its weights on keys where `special_mask` is True.
- **Returns** a float array of shape (N,), shares from 0 to 1 (not per cent): the mean over these queries.

What `special_mask` marks needn't be special: to know how much goes to full stops, mark the full stops.
"""

# %% exercise="mass_on_special"
from bert_keras.analysis.heads import mass_on_special

# %% check="mass_on_special"
check("mass_on_special", mass_on_special)

# %% [markdown] lang="zh"
r"""
**看一看。** 每一格是一个头（行是层，列是头），数字是百分之几，不到 5 的不写。三张图：落在 [CLS] 上、落在 [SEP] 上、落在句号上的份额。BERT-base 里，Clark 等人看到：低层有些头看 [CLS]，中间几层大多看 [SEP]，高层有些看句号和逗号。**先猜**：MiniLM 也是这样吗？
"""

# %% [markdown] lang="en"
r"""
**See it.** Each square is a head (rows are layers, columns are heads), and its number is in per cent (none is written below 5). Three pictures: the share on [CLS], on [SEP], and on full stops. In BERT-base Clark et al. found some low heads on [CLS], most of the middle layers on [SEP], and some high ones on full stops and commas. **Predict**: is it the same in MiniLM?
"""

# %% tags=["experiment"]
from bert_keras.analysis.attention import attention_map

resting = {}  # name: (L, N)
if attention is not None and ready("mass_on_special"):
    padded = [row + [""] * (LENGTH - len(row)) for row in tokens]
    words = padding_mask & ~np.isin(padded, ["[CLS]", "[SEP]"])  # queries, whatever is marked
    for name in ("[CLS]", "[SEP]", "."):
        marked = np.isin(padded, [name])
        resting[name] = np.stack([mass_on_special(layer, marked, words) for layer in attention])
    layer_names = [str(n + 1) for n in range(LAYERS)]
    head_names = [str(n + 1) for n in range(HEADS)]
    maps = np.stack(list(resting.values()))
    display(
        attention_map(layer_names, maps, key_tokens=head_names, titles=list(resting), columns=2)
    )
    for name, shares in resting.items():
        say(
            f"{name:6} 平均 {shares.mean():.1%}，超过一半的头 {np.sum(shares > 0.5)} 个",
            f"{name:6} mean {shares.mean():.1%}; {np.sum(shares > 0.5)} heads above one half",
        )
    if distance is not None:
        together = np.corrcoef(distance.ravel(), resting["[CLS]"].ravel())[0, 1]
        say(
            f"距离和 [CLS] 的份额，72 个头的相关系数 {together:.2f}",
            f"correlation of distance and share of [CLS] over 72 heads: {together:.2f}",
        )

# %% [markdown] lang="zh"
r"""
没猜到吧：停靠的地方是有的，还占了将近四成权重，可是不在 [SEP]，在 **[CLS]**。第 1 层还没有，第 2 层起突然就有了，到第 6 层又淡下去。中间几层里只有 4-12 与众不同：它几乎不看 [CLS]，四成多落在句号上，论文里说的“句号头”，这里算有一个。MiniLM 是另一个模型：蒸馏出来，又用句对练过句子的向量（对各词元的状态取平均），从来没练过“下一句”。为什么偏偏是 [CLS]，这些数说不出来；说得出来的是：**“头会把用不着的权重停在一个固定的地方”，两个模型都是这样；“停在 [SEP]”，就只是其中一个了**。论文里关于“BERT”的话，说的是那一个模型。

7a.2 的谜也解了一半：[CLS] 在最左边，离多数词都远，停在那里的头，距离多半也大（相关系数在上面最后一行；不是 1，第 6 层就不靠它）。光看距离一个数，会以为这些头在看“远处的上下文”。
"""

# %% [markdown] lang="en"
r"""
A surprise: there is a place where attention rests, and it takes nearly four tenths of it; only it isn't [SEP] but **[CLS]**. Layer 1 doesn't do it yet, from layer 2 on it is suddenly there, and in layer 6 it fades. In the layers between only 4-12 is different: it hardly looks at [CLS], and more than four tenths of it are on full stops, so of the "full-stop heads" of the paper there is one. MiniLM is another model: distilled, then trained on pairs of sentences for vectors that are means over all tokens, and never asked about the next sentence. Why it should be [CLS] these numbers can't tell; what they do tell is that **"heads leave attention that they don't need in a fixed place" holds for both models, and "the place is [SEP]" doesn't**. What papers say about "BERT" they say about one model.

And it solves half of the riddle of 7a.2: [CLS] stands at the left end, far from most words, and a head that rests there tends to have a large distance (the last line above has the correlation; it isn't 1, and layer 6 looks far without it). By the distance alone one might believe that such heads look at "context far away".
"""

# %% [markdown] lang="zh"
r"""
## 7a.4 练习：这个头懂不懂一种关系

“3-1 号头总看前一个词”“5-7 号头从代词看向它指的名词”：这样的话怎么变成一个数？给每个查询定一个**正确的键**，再数一数：这个头权重最大的那个键，有几成恰好是它。

有个麻烦：很多头大半的权重停在 [CLS] 或 [SEP] 上，最大的自然总在那里，于是每种关系都是 0 分。可它剩下的那一点点也许分得很准。所以规定**候选**：只在候选的键里比大小，别的当作没看见。比“它”指谁，候选就是句子里的两个名词，瞎猜也有一半；比前一个词，候选是所有普通的词。**候选少，瞎猜就高，所以每个数旁边要摆着瞎猜的数。**

写 `head_relation_accuracy(weights, targets, candidates)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `weights` | (B, N, T, T) | 浮点数组，约定同 7a.2 |
| `targets` | (B, T) | 整数数组，每个查询的正确的键；−1 = 这个查询没有，不算 |
| `candidates` | (B, T) | bool 数组，True = 这个键可以挑；有目标的行里至少有一个 |

- 每个查询挑候选里权重最大的键；一样大，挑最前面的**候选**。候选的权重可能恰好是 0（甚至全是 0），它们仍然是候选，别的键不是。
- 查询自己的位置如果是候选，也可以挑。目标不在候选里，就总算错。
- **返回** (N,) 的浮点数组：有目标的查询（所有行放在一起）里挑对的份额，0 到 1。
- 一个目标也没有，抛出 `ValueError`。
- 用 NumPy；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
## 7a.4 Exercise: does this head know a relation?

"Head 3-1 always looks at the word before", "head 5-7 looks from a pronoun to its noun": how does such a sentence become a number? Say for each query which **key is right**, and count how often the head's largest weight is there.

There is one difficulty: many heads rest most of their weight on [CLS] or [SEP], so the largest is always there, and every relation gets 0. Yet the little that is left may be shared out very well. So there are **candidates**: only candidate keys are compared, and all others are overlooked. To ask who "it" is, the candidates are the two nouns of the sentence, and mere guessing is right half of the time; to ask for the word before, they are all ordinary words. **The fewer candidates, the better guessing does; so beside every figure there has to stand that of guessing.**

Write `head_relation_accuracy(weights, targets, candidates)`:

| Argument | Shape | Notes |
|---|---|---|
| `weights` | (B, N, T, T) | float array, as in 7a.2 |
| `targets` | (B, T) | int array, the right key of each query; −1 = this query has none and doesn't count |
| `candidates` | (B, T) | bool array, True = this key may be chosen; a row with a target has at least one |

- Each query chooses the candidate with the largest weight; of equal ones, the first **candidate**. A candidate's weight may be exactly 0 (all of them may be); they are candidates still, and other keys are not.
- A query's own place may be chosen, too, if it is a candidate. A target that is no candidate is always missed.
- **Returns** a float array of shape (N,): of all queries that have a target, of all rows together, the share that chose right, from 0 to 1.
- If there is no target at all, `ValueError` is raised.
- Use NumPy, and don't change the arrays that you are handed.
"""

# %% exercise="head_relation_accuracy"
from bert_keras.analysis.heads import head_relation_accuracy

# %% check="head_relation_accuracy"
check("head_relation_accuracy", head_relation_accuracy)

# %% [markdown] lang="zh"
r"""
**先量假的。** 尺子准不准，要拿知道答案的东西来试。下面的注意力是造出来的：每个头种下一个角色（宽、看前一个、看后一个、看 [CLS]、看 [SEP]、看句号、看一种任意定的关系），除了宽的那个，每个头再掺三成杂音；另外六个头什么角色也没有。次序打乱了。用你的尺子，找得出来吗？没有角色的，会不会也“找”出一个来？（表里用的是英文名：`broad` 宽；`cls`、`sep`、`stop` 看 [CLS]、[SEP]、句号；`previous`、`next` 看前一个、后一个词；`relation` 那种任意定的关系；`random` 没有角色。）
"""

# %% [markdown] lang="en"
r"""
**First something made up.** To see whether a measure is right, try it where the answer is known. The attention below is made: each head has a role planted in it (broad; the word before; the word after; [CLS]; [SEP]; the full stop; a relation drawn by lot), three tenths of each, the broad one excepted, is noise; and six more heads have no role at all. Their order is shuffled. Do your measures find them? And do they "find" something in heads that have nothing? (In the table: `broad`; `cls`, `sep` and `stop` for [CLS], [SEP] and the full stop; `previous` and `next` for the word before and after; `relation` for the one drawn by lot; `random` for no role.)
"""

# %%
from bert_keras.analysis.head_roles import BARS, neighbours, planted_heads

if ready("attention_entropy", "mass_on_special", "head_relation_accuracy"):
    planted = planted_heads(np.random.default_rng(0))
    real, made = planted.padding_mask, planted.weights[0]
    made_tokens = [row + [""] * (real.shape[1] - len(row)) for row in planted.tokens]
    words = real & ~np.isin(made_tokens, ["[CLS]", "[SEP]"])
    lengths = real.sum(axis=1)
    widest_of_all = lengths @ np.log(lengths) / lengths.sum()  # if nothing were chosen
    found = {"broad": attention_entropy(made, real) / widest_of_all}
    for name, token in (("cls", "[CLS]"), ("sep", "[SEP]"), ("stop", ".")):
        marked = np.isin(made_tokens, [token])
        found[name] = mass_on_special(made, marked, words & ~marked)
    for name, step in (("previous", -1), ("next", 1)):
        found[name] = head_relation_accuracy(made, neighbours(words, step), words)
    found["relation"] = head_relation_accuracy(made, *planted.relation)
    bars = {**BARS, "relation": 0.8}
    print(" " * 12 + "".join(f"{name:>10}" for name in found))
    for head, role in enumerate(planted.roles):
        figures = [
            f"{values[head]:.2f}" + ("*" if values[head] > bars[name] else " ")
            for name, values in found.items()
        ]
        print(f"{role:12}" + "".join(f"{one:>10}" for one in figures))

# %% [markdown] lang="zh"
r"""
星号是过了线的，线是**事先**定的：宽是“什么也不挑”的九成以上，种下的那种关系（四个候选，瞎猜两成五）是八成以上，其余都是一半以上。种下的都找到了，没有角色的一个也没有。

**再量真的。** 前一个词、后一个词、词自己，三种关系，候选是除了 [CLS] 和 [SEP] 以外的词。**先猜**：72 个头里，哪几层有专看前一个词的头？
"""

# %% [markdown] lang="en"
r"""
A star means above the bar, and the bars were set **beforehand**: for broad, nine tenths of what choosing nothing gives; for the planted relation, where four candidates make guessing right a quarter of the time, 80 %; for all others one half. Each planted role is found, and no other.

**Now the real ones.** Three relations: the word before, the word after, and the word itself; candidates are all words but [CLS] and [SEP]. **Predict**: of the 72 heads, in which layers are those that look at the word before?
"""

# %% tags=["experiment"]
by_place = {}  # name: (L, N)
if attention is not None and ready("head_relation_accuracy"):
    padded = [row + [""] * (LENGTH - len(row)) for row in tokens]
    words = padding_mask & ~np.isin(padded, ["[CLS]", "[SEP]"])
    steps = {text("前一个", "before"): -1, text("后一个", "after"): 1, text("自己", "itself"): 0}
    for name, step in steps.items():
        targets = neighbours(words, step)
        by_place[name] = np.stack(
            [head_relation_accuracy(layer, targets, words) for layer in attention]
        )
    display(
        attention_map(
            [str(n + 1) for n in range(LAYERS)],
            np.stack(list(by_place.values())),
            key_tokens=[str(n + 1) for n in range(HEADS)],
            titles=list(by_place),
            columns=2,
        )
    )
    say(
        f"瞎猜：{np.mean(1 / words.sum(axis=1)):.1%}",
        f"guessing: {np.mean(1 / words.sum(axis=1)):.1%}",
    )

# %% [markdown] lang="zh"
r"""
这一条跟论文说的一样：专看邻居的头是有的，多在第 1 到第 3 层，前一个、后一个各有人管，最上面一层没有。注意，其中有几个（比如 2-10 和 3-12）大半的权重停在 [CLS] 上：只有在**词当中**挑，才看得出它们挑的是邻居。要是没有候选这一条，就会说“它们只看 [CLS]”。

**最后量“它”。** 指代语料又来了（3a 里的）：句子是程序造的，两个名词，一个 it，最后一个形容词决定 it 指谁，次序平衡，瞎猜正好一半。候选就是两个名词。72 个头，每个量两遍：100 句用来挑出最准的头，**另外 100 句再量它一次**（两批里，答案的名词和形容词没有一对相同）。**先猜**：挑的时候最准的有多准？再量一次呢？
"""

# %% [markdown] lang="en"
r"""
Here it is as in the paper: there are heads for neighbours, most of them in layers 1 to 3, some for the word before and some for the word after, and none in the uppermost layer. Mind that some of them (2-10 and 3-12, for instance) rest most of their weight on [CLS]: only **among words** does it show that they choose the neighbour. Without candidates one would say "they look at [CLS] only".

**And last, "it".** Here is the referent corpus of 3a again: sentences made by a program, with two nouns and an "it", where the last adjective decides which noun is meant, and balanced so that guessing is right exactly half of the time. The two nouns are the candidates. All 72 heads are measured twice: 100 sentences choose the best head, **and 100 others measure it again** (no pair of the noun that is meant and its adjective is in both). **Predict**: how good is the best one when it is chosen? And when it is measured again?
"""

# %% tags=["experiment"]
from bert_keras.text.corpora import referent

halves = []  # two arrays (L, N)
if attention is not None and ready("head_relation_accuracy"):
    for part in ("train", "test"):
        sentences = referent.load("en", 100, split=part)
        pieces = [[tokenizer.tokenize(word) for word in one.tokens] for one in sentences]
        starts = [1 + np.cumsum([0] + [len(one) for one in row]) for row in pieces]  # after [CLS]
        ids = [(checkpoint.vocabulary.ids(sum(row, [])), None) for row in pieces]
        longest = max(len(first) for first, _ in ids) + 2
        spoken = packing.pack_batch(ids, checkpoint.vocabulary, longest)
        targets = np.full(spoken["token_ids"].shape, -1)
        candidates = np.zeros(targets.shape, bool)
        for row, (one, places) in enumerate(zip(sentences, starts)):
            targets[row, places[one.pronoun]] = places[one.referent]
            candidates[row, places[list(one.nouns)]] = True
        halves.append(
            np.stack(
                [
                    head_relation_accuracy(layer, targets, candidates)
                    for layer in attention_of(model, spoken, 100)
                ]
            )
        )
    best = np.unravel_index(halves[0].argmax(), halves[0].shape)
    best_name = f"{best[0] + 1}-{best[1] + 1}"
    say(
        f"挑出来的头 {best_name}：{halves[0][best]:.0%}；另外 100 句再量它：{halves[1][best]:.0%}",
        f"the best head: {best_name}, {halves[0][best]:.0%}; "
        f"measured again on the other 100: {halves[1][best]:.0%}",
    )
    coins = np.random.default_rng(0).binomial(100, 0.5, size=(1000, halves[0].size)).max(axis=1)
    say(
        f"72 枚硬币各抛 100 次，最好的一枚平均 {coins.mean():.0f} 次正面",
        f"72 coins tossed 100 times each: the best shows heads {coins.mean():.0f} times on average",
    )
    words_of_chart = chart_words(LANG)
    with chart(1, width=4.2, height=3.6) as (axis,):
        for layer in range(LAYERS):
            axis.plot(
                halves[0][layer],
                halves[1][layer],
                MARKERS[layer],
                color=COLOURS[layer],
                label=words_of_chart(f"第 {layer + 1} 层", f"layer {layer + 1}"),
            )
        axis.plot([0.5, 0.5], [0, 1], "--", color="grey", lw=1)
        axis.plot([0, 1], [0.5, 0.5], "--", color="grey", lw=1)
        axis.set(xlim=(0.2, 1), ylim=(0.2, 1))
        axis.set_xlabel(words_of_chart("用来挑的 100 句", "the 100 that choose"))
        axis.set_ylabel(words_of_chart("另外 100 句", "100 others"))
        axis.legend(fontsize=8)

# %% [markdown] lang="zh"
r"""
看三件事。一，最准的头是从 72 个里**挑**出来的，光凭运气，72 枚硬币里最好的一枚也有六成多正面；所以挑的那个数不能当成绩，再量一次的才算，它果然掉了一截。二，掉了以后，4-4 号头离一半还远：换了名词和形容词，它多半还是从 it 看向该看的那个。这不是运气，是真有点什么。三，“有点什么”不等于“模型靠它来懂 it”：看，不等于用。那是 7a.7 的事。

至于别的头，绝大多数挤在一半附近。挤在一半也不一定是没有主见：一个总看**第一个**名词、或总看近的那个名词的头，在这份平衡的语料里恰好是一半。
"""

# %% [markdown] lang="en"
r"""
Notice three things. One: the best head was **chosen** out of 72, and by luck alone the best of 72 coins shows heads more than 60 times in 100; so the figure by which it was chosen is no score, and the one measured again is. It did come down. Two: having come down, head 4-4 is still far from one half: with other nouns and adjectives it mostly looks from "it" to the right one. That is no luck; there is something in it. Three: "something in it" isn't "this is how the model understands it": to look is not to use. That is for 7a.7.

Nearly all other heads are close to one half. Even that needn't mean that they have no preference: one that always looks at the **first** noun, or at the nearer one, is right exactly half of the time in a balanced corpus like this.
"""

# %% [markdown] lang="zh"
r"""
## 7a.5 练习：两个头像不像

72 个头干的是 72 件不同的事吗？要比两个头，就比它们对**同一个查询**的两个分布 p 和 q。办法很多；这里用 **Jensen–Shannon 散度**：把两个分布各掺一半，$m = (p + q)/2$，

$$\text{JSD}(p, q) = H(m) - \tfrac{1}{2} H(p) - \tfrac{1}{2} H(q)$$

H 就是 7a.2 的熵。p 和 q 相同，它是 0；毫无重叠，它是 $\ln 2$，不会更大；p 和 q 可以对调。（KL 散度两样都不行：p 有而 q 没有的地方，它是无穷大；对调了，数就变了。）除以 $\ln 2$，再从 1 里减掉，就成了 0 到 1 的相似度。

顺序要紧：**每个查询先算散度，再平均**。先把权重平均成一张“平均的表”再比，就错了：一个总看前一个词、一个总看后一个词，平均下来也许差不多。

写 `head_similarity(weights, padding_mask)`：

- `weights`：(B, N, T, T) 的浮点数组，`padding_mask`：(B, T) 的 bool 数组，约定同 7a.2。想比不同层的头，把它们沿 N 轴排在一起就行：N 可以是 72，也可以是 1。
- **返回** (N, N) 的浮点数组：第 n 行第 m 列是 $1 - \overline{\text{JSD}} / \ln 2$，横线是所有行的真查询的平均。对称，对角线是 1，所有的数在 0 到 1 之间。0 ln 0 = 0。
- N = 72、几百个查询时也要算得动：别做出 (Q, N, N, T) 那么大的数组，一次一个头跟所有的头比就行。（检查里的数小，不会嫌你占内存；下面的图里 N 就是 72。）
"""

# %% [markdown] lang="en"
r"""
## 7a.5 Exercise: how alike are two heads?

Do 72 heads do 72 different things? To compare two heads, compare what they do with **the same query**: two distributions p and q. There are many ways; we take the **Jensen–Shannon divergence**. Mix the two half and half, $m = (p + q)/2$, then

$$\text{JSD}(p, q) = H(m) - \tfrac{1}{2} H(p) - \tfrac{1}{2} H(q)$$

where H is the entropy of 7a.2. It is 0 if p and q are the same, and $\ln 2$ if they have nothing in common, which is the most it can be; and p and q may change places. (The KL divergence can do neither: it is infinite where p has something and q nothing, and is another number when they change places.) Divided by $\ln 2$ and taken from 1, it becomes a similarity from 0 to 1.

The order matters: **a divergence for each query first, and then the mean**. To average the weights into one "mean table" and compare those would be wrong: a head that always looks at the word before and one that looks at the word after may come out much the same.

Write `head_similarity(weights, padding_mask)`:

- `weights`: float array of shape (B, N, T, T), `padding_mask`: bool array of shape (B, T), both as in 7a.2. To compare heads of several layers, put them side by side along the axis N: N may be 72, and it may be 1.
- **Returns** a float array of shape (N, N): in row n and column m stands $1 - \overline{\text{JSD}} / \ln 2$, where the bar is the mean over the real queries of all rows. It is symmetric, has 1 along the diagonal, and all numbers are between 0 and 1. 0 ln 0 = 0.
- It has to work with N = 72 and some hundreds of queries: don't make an array as large as (Q, N, N, T), but compare one head with all others at a time. (The check is too small to mind; the picture below has N = 72.)
"""

# %% exercise="head_similarity"
from bert_keras.analysis.heads import head_similarity

# %% check="head_similarity"
check("head_similarity", head_similarity)

# %% [markdown] lang="zh"
r"""
**看一看。** 72 个头两两比（用前 12 段就够了）。左边：相似度的表，按层排，黑线隔开各层。右边：把相似的头摆得近，画在平面上（经典的多维缩放：找一个平面，让点与点的距离尽量等于 1 − 相似度），记号是层。**先猜**：同一层的头，会聚在一起吗？
"""

# %% [markdown] lang="en"
r"""
**See it.** All 72 heads, two by two (the first 12 paragraphs will do). On the left the table of similarities, in the order of layers, which black lines keep apart. On the right heads that are alike are put close together on a plane (classical multidimensional scaling: find the plane on which distances come as near as possible to 1 − similarity), with a marker for each layer. **Predict**: will the heads of a layer stand together?
"""

# %% tags=["experiment"]
from bert_keras.analysis.heads import map_of_heads

alike = None  # (L * N, L * N)
if attention is not None and ready("head_similarity"):
    side_by_side = np.concatenate(list(attention[:, :12]), axis=1)  # (B, L * N, T, T)
    alike = head_similarity(side_by_side, padding_mask[:12])
    of_layer = np.repeat(np.arange(LAYERS), HEADS)
    same_layer = (of_layer[:, None] == of_layer) & ~np.eye(len(alike), dtype=bool)
    next_layer = np.abs(of_layer[:, None] - of_layer) == 1
    far_layer = np.abs(of_layer[:, None] - of_layer) >= 3
    plane = map_of_heads(alike)
    words_of_chart = chart_words(LANG)
    with chart(2, width=4.4, height=3.9) as (table, flat):
        shown = table.imshow(alike, cmap="Blues", vmin=0, vmax=1)
        table.figure.colorbar(shown, ax=table, shrink=0.8)
        middles = HEADS * np.arange(LAYERS) + (HEADS - 1) / 2
        names = [words_of_chart(f"第 {n + 1} 层", f"layer {n + 1}") for n in range(LAYERS)]
        table.set_xticks(middles, range(1, LAYERS + 1))
        table.set_yticks(middles, names)
        table.grid(False)
        for edge in HEADS * np.arange(1, LAYERS) - 0.5:
            table.axhline(edge, color="black", lw=0.6)
            table.axvline(edge, color="black", lw=0.6)
        for layer in range(LAYERS):
            dots = plane[of_layer == layer].T
            flat.plot(*dots, MARKERS[layer], color=COLOURS[layer], label=names[layer], alpha=0.8)
        flat.legend(fontsize=8)
        flat.set_aspect("equal", "datalim")
    say(
        f"平均相似度：同一层 {alike[same_layer].mean():.3f}，相邻两层 {alike[next_layer].mean():.3f}，"
        f"隔三层以上 {alike[far_layer].mean():.3f}",
        f"mean similarity: one layer {alike[same_layer].mean():.3f}, neighbouring layers "
        f"{alike[next_layer].mean():.3f}, three layers or more apart {alike[far_layer].mean():.3f}",
    )

# %% [markdown] lang="zh"
r"""
Clark 等人说，同一层的头往往像。这里大体也是：第 1 层多在左边，离它近的反而是最后一层（两层都看得宽，也都不怎么停在 [CLS]）；中间几层挤在一起，因为都停在 [CLS]。可是群与群之间没有一道清楚的沟，“同一层”和“相邻两层”的差也不大。独自站在远处的那个是 1-3，只看前一个词；别的散在外边的，多半也是 7a.4 里专看邻居的。

两件事别混：相似的是**看的地方**，不是**干的事**。两个头看同一个词，各用各的 $W_V$ 和 $W_O$，带回来的东西可以完全不同。
"""

# %% [markdown] lang="en"
r"""
Clark et al. say that heads of one layer are often alike. By and large it is so here: layer 1 is mostly on the left, and what comes nearest to it is the last layer (both look widely, and neither rests much on [CLS]); those between stand close together, since they do rest there. But there is no clear gap between groups, and "one layer" and "neighbouring layers" don't differ by much. The one that stands far from all is 1-3, which looks at the word before and nowhere else; most of the others at the edge are heads for neighbours, too, from 7a.4.

Don't confuse two things: what is alike is **where they look**, and not **what they do**. Two heads may look at the same word and bring back quite different things, each by its own $W_V$ and $W_O$.
"""

# %% [markdown] lang="zh"
r"""
## 7a.6 用一用：一张角色表

六把尺子里的四把：熵、距离、停在哪里的份额、三种位置关系，库里有一个函数 `role_table` 一次量完，所有的头都在里面。线还是 7a.4 里那几条，事先定的；名字也是那里的，`same` 是看词自己。过线的头有哪些？
"""

# %% [markdown] lang="en"
r"""
## 7a.6 Use it: a table of roles

The library's `role_table` takes these measures all at once, entropy, distance, the shares and the three relations of place, of every head. The bars are those of 7a.4, set beforehand, and so are the names; `same` is the word itself. Which heads are above?
"""

# %% tags=["experiment"]
from bert_keras.analysis.head_roles import role_table, roles_of

table = None
if attention is not None:
    table = role_table(attention, tokens, padding_mask)
    roles = roles_of(table)
    for name, bar in BARS.items():
        heads = [f"{layer}-{head}" for (layer, head), found in roles.items() if name in found]
        print(f"{name:9} > {bar:.0%}  {len(heads):2}  {' '.join(heads)}")
    without = sum(not found for found in roles.values())
    say(f"一条线也没过的：{without} 个", f"above none of the bars: {without}")

# %% [markdown] lang="zh"
r"""
三件事值得记下来。第一，多数的头**什么角色也没有**：它们当然在算东西，只是不在我们列的这几样里。第二，有的头有两个角色，“看前一个词”和“看 [CLS]”并不冲突，前者是挑词，后者是弃权。第三，把线挪一挪，名单就变：4-12 有四成多落在句号上，没过一半，`stop` 那一行就空着。所以线要写在名单旁边。

拿着名单回到图上，换一段报纸，看看它们是不是真的这样。图从 3-12 号头开始。
"""

# %% [markdown] lang="en"
r"""
Three things to remember. First, most heads have **no role at all**: they compute something, no doubt, but nothing that we have listed. Second, some heads have two; "the word before" and "[CLS]" don't exclude each other, one is a choice among words and the other a way to abstain. Third, move the bars and the list changes: 4-12 has more than four tenths on full stops, which is less than half, and so nobody stands in the line `stop`. Write the bars beside the list.

Take the list back to the picture, with a paragraph of the newspaper this time, and see whether they really do it. The picture begins with head 3-12.
"""

# %% tags=["experiment"]
if attention is not None:
    count = len(tokens[1])
    first_weights = attention[:, 1, :, :count, :count]
    display(head_view(tokens[1], first_weights, language=LANG, layer=3, head=12))

# %% [markdown] lang="zh"
r"""
## 7a.7 练习：把头关掉

看得再清楚，也只知道头**在看什么**，不知道模型**靠不靠它**。要知道这个，得动手：关掉一个头，看输出变多少。这叫**消融**（ablation）。

头接在哪里？回忆多头注意力的最后一步：N 个头各有一个结果 (B, T, N, H)，并排放好，过最后一次投影 $W_O$。把 $W_O$ 按头切开，就看得更清楚：输出是**各个头的贡献之和**，再加偏置：

$$\text{output} = \sum_{n} g_n \, h_n W_O^{(n)} + b$$

$g_n$ 是新加的开关：1 是原样，0 是关掉，中间的数是调小。Michel 等人（2019）的妙处在于：$g$ 可以取小数，就可以**求导**：损失对 $g_n$ 的导数，就是“把这个头拧小一点点，损失变多少”，一次反向传播，所有的头都有了。

写 `head_ablation(head_outputs, output_kernel, output_bias, head_mask)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `head_outputs` | (B, T, N, H) | 浮点张量，每个词元、每个头的结果，投影之前 |
| `output_kernel` | (N, H, D) | 浮点张量，$W_O$，按头切开 |
| `output_bias` | (D,) | 浮点张量，投影的偏置 |
| `head_mask` | (N,) | 浮点张量，每个头的 $g_n$：1、0 或中间的数 |

- 关掉的意思是：投影**之前**，这个头的结果乘 0。偏置照加；剩下的头**不**放大来补偿。
- **返回** (B, T, D) 的浮点张量。
- 用 `keras.ops`，B 在编译时可能还不知道；结果要能对 `head_mask` 求导（所以别四舍五入，也别写成“大于 0 就算开着”）。
"""

# %% [markdown] lang="en"
r"""
## 7a.7 Exercise: switch heads off

However well we look, all we learn is what a head **looks at**, and not whether the model **needs it**. For that one has to interfere: switch a head off and see how much the output changes. That is called **ablation**.

Where does a head join the others? Remember the last step of multi-head attention: N heads have each a result, (B, T, N, H); they are put side by side and go through one more projection, $W_O$. Cut $W_O$ into heads, and it shows that the output is **the sum of what each head contributes**, plus a bias:

$$\text{output} = \sum_{n} g_n \, h_n W_O^{(n)} + b$$

New here is the switch $g_n$: 1 leaves the head as it is, 0 turns it off, and something between turns it down. The nice idea of Michel et al. (2019): where $g$ may be a fraction, there is a **derivative**. That of the loss by $g_n$ says how much the loss changes when this head is turned down a little, and one backward pass gives it for all heads.

Write `head_ablation(head_outputs, output_kernel, output_bias, head_mask)`:

| Argument | Shape | Notes |
|---|---|---|
| `head_outputs` | (B, T, N, H) | float tensor, what each head found for each token, before the projection |
| `output_kernel` | (N, H, D) | float tensor, $W_O$, cut into heads |
| `output_bias` | (D,) | float tensor, the bias of the projection |
| `head_mask` | (N,) | float tensor, $g_n$ of each head: 1, 0 or something between |

- Off means that the head's result is multiplied by 0 **before** the projection. The bias is added all the same; and the other heads are **not** made larger to make up for it.
- **Returns** a float tensor of shape (B, T, D).
- Use `keras.ops`; when it is compiled, B may be unknown. The result must have a derivative by `head_mask` (so don't round, and don't write "on if above 0").
"""

# %% exercise="head_ablation"
from bert_keras.analysis.ablation import head_ablation

# %% check="head_ablation"
check("head_ablation", head_ablation)

# %% [markdown] lang="zh"
r"""
**用一用：哪些头少不了？** 给 MiniLM 一件活：看标题，把 BBC 新闻分进五类（商业、娱乐、政治、体育、科技）。骨干冻住，各词元的状态取平均，接一个逻辑回归（400 个标题训练）。然后在另外 64 个标题上，把 72 个头**一个一个**关掉，看交叉熵涨多少；旁边是一次反向传播给的预测：把 $g_n$ 从 1 拧到 0，按导数，损失大约变 $-\partial \text{loss} / \partial g_n$。用的是你的 `head_ablation`。（要算七十多遍前向：快的机器半分钟，慢的要几分钟。）

**先猜**：关掉一个头，损失最多涨几成？会不会有关掉反而更好的？导数猜得准吗？
"""

# %% [markdown] lang="en"
r"""
**Use it: which heads are needed?** Give MiniLM something to do: tell by the title which of five topics a BBC article belongs to (business, entertainment, politics, sports, tech). The backbone stays as it is, the states of all tokens are averaged, and a logistic regression stands on top (400 titles to train on). Then, on 64 other titles, each of the 72 heads is switched off **by itself**, and we see how much the cross-entropy rises; beside it stands what a single backward pass predicts: turning $g_n$ from 1 to 0 should, by the derivative, change the loss by about $-\partial \text{loss} / \partial g_n$. Your `head_ablation` does the work. (It takes more than seventy forward passes: half a minute on a fast machine, some minutes on a slow one.)

**Predict**: by how much does the loss rise at most? Are there heads without which it is better? Is the derivative a good guess?
"""

# %% tags=["experiment"]
from bert_keras.analysis.ablation import masked_states
from bert_keras.layers.pooling import masked_mean

classifier, damage, slope = None, None, None  # the last two (L, N)
if model is not None:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        say("没有安装 scikit-learn，跳过。", "scikit-learn is not installed; skipping it.")
    else:
        titles, chosen = bbc_news.load_topics(), {}
        for part, count in (("train", 400), ("test", 64)):  # they come topic by topic
            order = np.random.default_rng(0).permutation(len(titles[part]))[:count]
            chosen[part] = [titles[part][n] for n in order]
        packed, vectors = {}, {}
        for part, rows in chosen.items():
            ids = [(tokenizer.encode(row.text)[:14], None) for row in rows]
            packed[part] = packing.pack_batch(ids, checkpoint.vocabulary, 16)
            states = model.predict(packed[part], batch_size=100, verbose=0)["sequence_output"]
            real = packed[part]["padding_mask"]
            vectors[part] = np.asarray(masked_mean(ops.convert_to_tensor(states), real))
        labels = {part: np.array([row.label for row in rows]) for part, rows in chosen.items()}
        classifier = LogisticRegression(max_iter=2000).fit(vectors["train"], labels["train"])
        kernel = ops.convert_to_tensor(classifier.coef_.T.astype("float32"))  # (D, C)
        offsets = ops.convert_to_tensor(classifier.intercept_.astype("float32"))  # (C,)
        accuracy = classifier.score(vectors["test"], labels["test"])
        say(f"64 个标题里答对 {accuracy:.0%}", f"right for {accuracy:.0%} of the 64 titles")


def logits_of(states, real):
    """How well each topic fits each row, (B, C)."""
    return ops.matmul(masked_mean(states, real), kernel) + offsets


def loss_of(states, real, right):
    """The mean cross-entropy of the classifier."""
    logarithms = ops.log_softmax(logits_of(states, real))
    return -ops.mean(ops.sum(ops.one_hot(right, len(bbc_news.TOPICS)) * logarithms, axis=-1))


if classifier is not None and ready("head_ablation"):
    real, right = packed["test"]["padding_mask"], labels["test"]
    before = model.all_states(packed["test"])["hidden_states"]  # what goes into each block
    whole = float(loss_of(before[-1], real, right))
    damage = np.zeros((LAYERS, HEADS))
    for layer in range(LAYERS):
        for head in range(HEADS):
            mask = np.ones(HEADS, "float32")
            mask[head] = 0.0
            masks = [ops.convert_to_tensor(mask)] + [None] * (LAYERS - layer - 1)
            states = masked_states(model, before[layer], real, masks, layer, head_ablation)
            damage[layer, head] = float(loss_of(states, real, right)) - whole
    if keras.backend.backend() == "tensorflow":
        import tensorflow as tf

        ones = [tf.ones(HEADS) for _ in range(LAYERS)]
        with tf.GradientTape() as tape:
            tape.watch(ones)
            states = masked_states(model, before[0], real, ones, 0, head_ablation)
            loss = loss_of(states, real, right)
        slope = -np.stack([np.asarray(one) for one in tape.gradient(loss, ones)])
    words_of_chart = chart_words(LANG)
    with chart(2, width=4.6, height=3.2) as (grid, against):
        reach = np.abs(damage).max()
        shown = grid.imshow(damage, cmap="PuOr_r", vmin=-reach, vmax=reach, aspect="auto")
        grid.figure.colorbar(shown, ax=grid)
        grid.grid(False)
        grid.set_xticks(range(HEADS), range(1, HEADS + 1))
        grid.set_yticks(range(LAYERS), range(1, LAYERS + 1))
        grid.set_xlabel(words_of_chart("头", "head"))
        grid.set_ylabel(words_of_chart("层", "layer"))
        grid.set_title(words_of_chart("关掉它，损失的变化", "change of the loss without it"))
        for layer in range(LAYERS if slope is not None else 0):
            name = words_of_chart(f"第 {layer + 1} 层", f"layer {layer + 1}")
            style = {"color": COLOURS[layer], "label": name}
            against.plot(slope[layer], damage[layer], MARKERS[layer], **style)
        against.axline((0, 0), slope=1, ls="--", color="grey", lw=1)
        against.set_xlabel(words_of_chart("导数的预测", "predicted by the derivative"))
        against.set_ylabel(words_of_chart("真关掉", "really switched off"))
        if slope is not None:
            against.legend(fontsize=7)
    worst = np.unravel_index(damage.argmax(), damage.shape)
    say(
        f"交叉熵 {whole:.3f}；最少不了的是 {worst[0] + 1}-{worst[1] + 1}，"
        f"关掉它涨 {damage.max():.3f}（{damage.max() / whole:.0%}）；"
        f"关掉反而低的有 {np.sum(damage < 0)} 个头",
        f"cross-entropy {whole:.3f}; most needed is {worst[0] + 1}-{worst[1] + 1}, without it "
        f"{damage.max():+.3f} ({damage.max() / whole:+.0%}); "
        f"lower without them: {np.sum(damage < 0)} heads",
    )
    small = np.abs(damage) < 0.05 * whole
    say(
        f"变化不到 5 % 的：{small.sum()} 个，共 {damage.size} 个",
        f"changes of less than 5 %: {small.sum()} of {damage.size}",
    )


def ranks(values):
    return np.argsort(np.argsort(np.ravel(values)))


if slope is not None:
    by_rank = np.corrcoef(ranks(slope), ranks(damage))[0, 1]
    say(f"预测和真关掉的秩相关 {by_rank:.2f}", f"rank correlation of the two: {by_rank:.2f}")

# %% [markdown] lang="zh"
r"""
大多数头，单独关掉哪一个都不要紧，有将近一半关掉了损失还低一点；旁路（残差）照样把词带上去，别的头也能顶一顶。Michel 等人在更大的模型上看到的也是这样。一次反向传播猜的名次相当准，没猜准的多在最后一层：那里关掉一个头，变化大，一条直线就不够用了。但“单独关掉不要紧”不等于“可以一起关掉”：两个互相顶替的头，单看都可有可无，一起关掉就出事。一起关掉会怎样，要跑得久一些，见 7a.9。

也别把 64 个标题太当真：它够看出大概的样子，不够给 72 个头排名次。
"""

# %% [markdown] lang="en"
r"""
Most heads can be switched off one by one with little harm, and without nearly half of them the loss is even a little lower: the bypass (the residual connection) carries the words up all the same, and other heads fill in. Michel et al. saw the same in larger models. The ranking that a single backward pass predicts is rather good; where it isn't, it is mostly in the last layer, where a head makes a larger difference and a straight line no longer does. But "no harm by itself" doesn't mean "no harm together": of two heads that stand in for each other, each can be spared, and both can't. What happens when many go together takes longer to measure; see 7a.9.

And don't take 64 titles too seriously: they show the general look of it, and can't rank 72 heads.
"""

# %% [markdown] lang="zh"
r"""
## 7a.8 加分题：不看注意力的办法

“这个词对结论有多大功劳？”想知道这个，不一定要看注意力。最直接的是**梯度**：把一个词的嵌入动一点点，分数变多少。可是梯度只说“这一点附近”：一个 sigmoid 已经饱和了，梯度几乎是 0，功劳却不小。

**积分梯度**（integrated gradients；Sundararajan 等人，2017）走一段路：从一个“什么也没说”的基线 $x'$（比如把词全换成 [MASK]）笔直走到真的输入 x，一路上把梯度加起来：

$$\text{IG}_i = (x_i - x'_i) \int_0^1 \frac{\partial F}{\partial x_i}\bigl(x' + \alpha (x - x')\bigr) \, d\alpha$$

好处是账算得平：所有的 $\text{IG}_i$ 加起来，恰好是 $F(x) - F(x')$（**完备性**）：一分功劳不多，一分不少。积分用有限的几步代替：路分成 `steps` 段，每段取**中点**，$\alpha_k = (k + \tfrac{1}{2}) / \text{steps}$，k 从 0 到 `steps` − 1。

写 `integrated_gradients(gradient, inputs, baseline, steps)`：

| 参数 | 说明 |
|---|---|
| `gradient` | `gradient(x)`：浮点数组，形状和 `inputs` 一样，返回 F 在那里的梯度，形状也一样 |
| `inputs` | 浮点数组，什么形状都行，路的终点 |
| `baseline` | 浮点数组，形状和 `inputs` 一样，路的起点 |
| `steps` | 整数，至少 1，走几步 |

- 恰好在这 `steps` 个中点各问一次 `gradient`，平均，再逐个乘 `inputs - baseline`。
- **返回**形状和 `inputs` 一样的浮点数组。用 NumPy；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
## 7a.8 Stretch exercise: without looking at attention

"How much did this word do for the result?" You needn't look at attention to find out. Most direct is the **gradient**: move the embedding of a word a little, and see how much the score changes. But a gradient speaks only of what is near: once a sigmoid is saturated, its gradient is almost 0, however much the word did.

**Integrated gradients** (Sundararajan et al., 2017) walk: from a baseline $x'$ that "says nothing", such as all words turned into [MASK], straight to the real input x, adding up gradients on the way:

$$\text{IG}_i = (x_i - x'_i) \int_0^1 \frac{\partial F}{\partial x_i}\bigl(x' + \alpha (x - x')\bigr) \, d\alpha$$

The beauty of it is that the books balance: all $\text{IG}_i$ together are exactly $F(x) - F(x')$ (**completeness**), no more credit and no less. In place of the integral there are some steps: the way is cut into `steps` parts, and of each the **middle** is taken, $\alpha_k = (k + \tfrac{1}{2}) / \text{steps}$, for k from 0 to `steps` − 1.

Write `integrated_gradients(gradient, inputs, baseline, steps)`:

| Argument | Notes |
|---|---|
| `gradient` | `gradient(x)`: takes a float array of the shape of `inputs`, returns the gradient of F there, of the same shape |
| `inputs` | float array of any shape, the end of the way |
| `baseline` | float array of the shape of `inputs`, the beginning of the way |
| `steps` | int, at least 1, how many steps |

- Ask `gradient` once at each of these `steps` middles, take the mean, and multiply it by `inputs - baseline`, element by element.
- **Returns** a float array of the shape of `inputs`. Use NumPy, and don't change the arrays that you are handed.
"""

# %% exercise="integrated_gradients"
from bert_keras.analysis.attribution import integrated_gradients

# %% check="integrated_gradients"
check("integrated_gradients", integrated_gradients)

# %% [markdown] lang="zh"
r"""
**账平不平？** F 是刚才那个分类器给正确那一类打的分（logit），x 是一个标题的嵌入（位置和片段都已加上），基线 $x'$ 是同样长、词全换成 [MASK] 的一句。梯度由 TensorFlow 的 `GradientTape` 给。步数 1、4、16，看所有功劳之和离 $F(x) - F(x')$ 差多少。（要算二十多遍反向传播，慢的机器一两分钟。）**先猜**：一步就够吗？
"""

# %% [markdown] lang="en"
r"""
**Do the books balance?** F is the logit that the classifier above gives to the right topic, x the embeddings of a title, with positions and segments in them, and the baseline $x'$ those of a title of the same length with [MASK] for every word. TensorFlow's `GradientTape` gives the gradient. With 1, 4 and 16 steps, how far is the sum of all credit from $F(x) - F(x')$? **Predict**: is one step enough?
"""

# %% tags=["experiment"]
credit, plain, received = None, None, None  # (B, T): by word
if classifier is not None and keras.backend.backend() == "tensorflow":
    if ready("integrated_gradients"):
        import tensorflow as tf

        some = {name: array[:8] for name, array in packed["test"].items()}
        real = some["padding_mask"]
        special = np.isin(some["token_ids"], checkpoint.vocabulary.ids(["[CLS]", "[SEP]"]))
        blank = np.where(real & ~special, checkpoint.vocabulary.mask_id, some["token_ids"])
        here = np.asarray(model.embeddings(some["token_ids"], some["segment_ids"]))  # (B, T, D)
        there = np.asarray(model.embeddings(blank.astype("int32"), some["segment_ids"]))

        wanted = ops.one_hot(labels["test"][:8], len(bbc_news.TOPICS))

        def outputs(x):
            states = masked_states(model, x, real, [None] * LAYERS)
            return ops.sum(logits_of(states, real) * wanted, axis=-1)  # (B,)

        def gradient(x):
            """Of each row's logit by its own embeddings: rows don't see each other."""
            x = tf.convert_to_tensor(np.asarray(x, "float32"))
            with tf.GradientTape() as tape:
                tape.watch(x)
                total = tf.reduce_sum(outputs(x))
            return np.asarray(tape.gradient(total, x))

        owed = np.asarray(outputs(here)) - np.asarray(outputs(there))  # (B,)
        for steps in (1, 4, 16):
            parts = integrated_gradients(gradient, here, there, steps)  # (B, T, D)
            gap = np.abs(parts.sum(axis=(1, 2)) - owed)
            say(
                f"{steps:2} 步：差 {gap.mean():.3f}（欠的平均是 {np.abs(owed).mean():.3f}）",
                f"{steps:2} steps: off by {gap.mean():.3f} (owed, mean: {np.abs(owed).mean():.3f})",
            )
        credit = parts.sum(axis=-1)
        plain = (gradient(here) * (here - there)).sum(axis=-1)
        words_of_chart = chart_words(LANG)
        with chart(2, width=4.6, height=4.4) as axes:
            for axis, row in zip(axes, (0, 1)):
                count = real[row].sum()
                names = checkpoint.vocabulary.words(some["token_ids"][row, :count])
                colours = [COLOURS[0] if one > 0 else COLOURS[1] for one in credit[row, :count]]
                axis.barh(range(count), credit[row, :count], color=colours)
                axis.set_yticks(range(count), names, fontsize=8)
                axis.invert_yaxis()
                axis.axvline(0, color="black", lw=0.8)
                topic = bbc_news.TOPICS[labels["test"][row]]
                axis.set_title(f"{topic}: F(x) − F(x') = {owed[row]:+.2f}", fontsize=9)
                axis.set_xlabel(words_of_chart("功劳", "credit"))

# %% [markdown] lang="zh"
r"""
账越算越平，差多少，上面写着。图里的蓝条往右，是“往这一类里推”；橙条往左，是“往外推”。一张图里的条子加起来，就是图顶上那个 $F(x) - F(x')$（只差上面写的那一点），所以可以说“这个词占了几分”。[CLS] 和 [SEP] 是 0，不是因为它们没用：基线里它们没有换掉，$x_i - x'_i = 0$，自然分不到。功劳从来都是**相对于基线**的：基线换成全零的嵌入，每个词的功劳都会变，账照样平。完备，不等于唯一。

它和注意力比呢？注意力高的词，功劳就大吗？数一数：每个标题里，把词按最后一层得到的注意力排一次名（所有头、所有查询平均），再按功劳的大小（不论正负）排一次，看两个名次像不像。
"""

# %% [markdown] lang="en"
r"""
The more steps, the better the books balance; by how much is printed above. A blue bar to the right pushes towards this topic, an orange one to the left away from it. Together the bars of a picture make up the $F(x) - F(x')$ above it, but for the little that is printed, so one may say "this word did so much of it". [CLS] and [SEP] have 0, and not because they are of no use: the baseline has them, too, and $x_i - x'_i = 0$ leaves them nothing. Credit is always **compared with a baseline**: with embeddings of zeros in its place every word would get another share, and the books would balance as well. Complete doesn't mean unique.

And beside attention? Do words that get much of it get much credit? Count: in each title, rank the words by the attention that they receive in the last layer (mean of all heads and queries), and by the size of their credit, whatever its sign; and see how alike the two rankings are.
"""

# %% tags=["experiment"]
agreement = {}
if credit is not None:
    last = attention_of(model, some)[-1].mean(axis=1)  # (B, T, T), mean of all heads
    last = np.where(real[..., None], last, 0.0).sum(axis=1)  # (B, T): received by each key
    wordy = real & ~special
    pairs = {
        text("注意力和功劳", "attention and credit"): (last, np.abs(credit)),
        text("终点的梯度和功劳", "gradient at the end and credit"): (np.abs(plain), np.abs(credit)),
    }
    for name, (one, other) in pairs.items():
        each = [
            np.corrcoef(ranks(one[row][wordy[row]]), ranks(other[row][wordy[row]]))[0, 1]
            for row in range(len(real))
        ]
        agreement[name] = float(np.mean(each))
        print(name, f"{agreement[name]:+.2f}  ({min(each):+.2f} … {max(each):+.2f})")

# %% [markdown] lang="zh"
r"""
1 是名次完全一样，0 是毫无关系，8 个标题的平均在前，最小和最大的在括号里；词这么少，一个标题的数跳得厉害，看平均就好。Jain 和 Wallace（2019）在循环网络的注意力上做过类似的比较，相关很弱，这里也不强。有意思的是第二行：只看终点的梯度，和沿路加起来的梯度，名次也不太像。“哪个词要紧”，换一种算法就换一个答案。Wiegreffe 和 Pinter（2019）回答说，不相关不等于没有用，要看你要的“解释”是什么。7a.12 还会回到这里。
"""

# %% [markdown] lang="en"
r"""
1 means the same ranking and 0 no relation; the mean of 8 titles comes first, the lowest and the highest of them stand in brackets. With so few words the figure of a single title jumps about, so go by the mean. Jain and Wallace (2019) made such comparisons for the attention of recurrent networks and found weak correlations; here they aren't strong, either. Mind the second line: the gradient at the end of the way and gradients added up along it don't agree much more. Ask in another way which word matters, and get another answer. Wiegreffe and Pinter (2019) replied that a weak correlation doesn't make it useless, for it depends on what you want of an "explanation". 7a.12 comes back to this.
"""

# %% [markdown] lang="zh"
r"""
## 7a.9 存好的实验

两件要跑得久的事：断言事先写好，各跑三个种子，结果存在本章旁边。（还没有量过的，单元格会说一声，接着往下做就行。）

**一、200 段，三次抽样。** 上面只用了 40 段。换三批各 200 段，角色的名单还一样吗？断言是照 BERT-base 的论文写的。
"""

# %% [markdown] lang="en"
r"""
## 7a.9 Stored experiments

Two things that take longer. Their claims were written down beforehand, there are three seeds, and the results are kept beside this notebook. (Where one hasn't been measured yet, the cell says so; just go on.)

**One: 200 paragraphs, drawn three times.** So far there were 40. Are the roles the same for three draws of 200? The claims follow the paper on BERT-base.
"""

# %% tags=["experiment"]


def verdict_of(result):
    """Print a claim and whether it held, part by part."""
    held = text("成立", "held") if result["holds"] else text("不成立", "did not hold")
    print(result["claim"][LANG], "→", held)
    parts = result.get("parts", {})
    if len(parts) > 1:
        each = {True: text("成立", "held"), False: text("不成立", "did not hold")}
        print("  ".join(f"({name}) {each[is_held]}" for name, is_held in parts.items()))


def spread(figure, digits=3):
    return f"{figure['mean']:.{digits}f} ± {figure['sd']:.{digits}f}"


head_roles = stored("head_roles")
if head_roles:
    verdict_of(head_roles)
    figures = head_roles["figures"]
    for name, by_layer in figures["roles"].items():
        counts = "  ".join(f"{one['mean']:4.1f}" for one in by_layer.values())
        say(f"{name:9} 各层的头数 {counts}", f"{name:9} heads by layer {counts}")
    for name, zh, en in (
        ("same_layer", "同一层的相似度", "similarity in a layer"),
        ("other_layer", "不同层的相似度", "similarity between layers"),
        ("kept_roles", "角色和另一批相同的头", "heads with the roles of another draw"),
    ):
        say(f"{zh} {spread(figures[name])}", f"{en} {spread(figures[name])}")

# %% [markdown] lang="zh"
r"""
五条里四条成立。不成立的是（2），7a.3 已经见过：MiniLM 停在 [CLS] 上，没有一个头把一半权重给 [SEP]。换一批文字，几乎所有头的角色都不变：角色是头自己的，不是碰巧抽到那些段落。

**二、哪些头少不了，一起关掉会怎样。** 这回整个微调 MiniLM（影评，600 句），然后：每个头单独关掉一次；再按梯度的重要性（7a.10 里的那种）从最不重要的一路关下去，跟随机的次序比。**先猜**：关掉一半的头，准确率掉多少？按重要性关，比乱关好多少？
"""

# %% [markdown] lang="en"
r"""
Four parts of five hold. The one that doesn't is (2), and 7a.3 has shown why: MiniLM rests on [CLS], and no head gives half of its weight to [SEP]. With other texts nearly all heads keep their roles: these belong to the heads, and not to the paragraphs that were drawn.

**Two: which heads are needed, and what if many go.** This time all of MiniLM is fine-tuned (film reviews, 600 sentences). Then each head is switched off by itself; and then more and more of them together, by their importance as gradients give it (as in 7a.10), the least important first, against a random order. **Predict**: how much accuracy is lost with half of the heads? How much better is it to go by importance than at random?
"""

# %% tags=["experiment"]
heads_that_matter = stored("heads_that_matter")
if heads_that_matter:
    verdict_of(heads_that_matter)
    figures = heads_that_matter["figures"]
    words_of_chart = chart_words(LANG)
    names = {"by_importance": ("按重要性", "by importance"), "random": ("随机", "at random")}
    with chart(2, width=4.6, height=3.2) as (curve, alone):
        for number, (name, pair) in enumerate(names.items()):
            points = figures["curve"][name]
            curve.errorbar(
                [float(share) for share in points],
                [one["mean"] for one in points.values()],
                [one["sd"] for one in points.values()],
                marker=MARKERS[number],
                color=COLOURS[number],
                label=words_of_chart(*pair),
            )
        curve.set_xlabel(words_of_chart("关掉的份额", "share switched off"))
        curve.set_ylabel(words_of_chart("准确率", "accuracy"))
        curve.legend(fontsize=8)
        drops = np.array(
            [[one["mean"] for one in layer.values()] for layer in figures["alone"].values()]
        )
        reach = max(np.abs(drops).max(), 1e-9)
        shown = alone.imshow(100 * drops, cmap="PuOr_r", vmin=-100 * reach, vmax=100 * reach)
        alone.figure.colorbar(shown, ax=alone, shrink=0.6)
        alone.grid(False)
        alone.set_xticks(range(drops.shape[1]), range(1, drops.shape[1] + 1))
        alone.set_yticks(range(drops.shape[0]), range(1, drops.shape[0] + 1))
        alone.set_xlabel(words_of_chart("头", "head"))
        alone.set_ylabel(words_of_chart("层", "layer"))
        alone.set_title(
            words_of_chart("单独关掉，掉几个百分点", "points lost without it"), fontsize=9
        )
    say(f"全部都在 {spread(figures['whole'])}", f"with all heads {spread(figures['whole'])}")

# %% [markdown] lang="zh"
r"""
三条都成立。单独关掉，没有一个头让准确率平均掉满 1 个百分点；一起关掉一半，按重要性关只掉 1 个百分点，乱关要掉 6 个。单独看个个少得了，不等于少哪些都一样。

**量你自己的检查点。** 一条命令，给一个检查点和一个文本文件（一行一段），写出一个网页：所有头的表、各层的点、可以点的图。网页是一个文件，不联网：

```sh
bert-keras analyze build/bert --text sentences.txt --out report.html
```
"""

# %% [markdown] lang="en"
r"""
All three parts hold. By itself, no head costs a full point of accuracy on average; with half of them gone together, it is 1 point if they went by importance, and 6 at random. That each can be spared doesn't mean that it is all the same which ones go.

**Measure a checkpoint of yours.** One command takes a checkpoint and a text file (one text a line) and writes a web page: a table of all heads, dots by layer, and the picture to click through. It is one file and needs no network:

```sh
bert-keras analyze build/bert --text sentences.txt --out report.html
```
"""

# %% [markdown] lang="zh"
r"""
## 7a.10 找错练习

下面的 `patient` 决定关掉哪些头（Michel 等人 2019 的办法）：按梯度给每个头的重要性打分，从最不重要的关起。它跑得起来，给的分也像模像样，可是有**一个**毛病。别的班可能是别的毛病。

`patient(head_outputs, gradients, padding_mask, removed)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `head_outputs` | (L, B, T, N, H) | 浮点数组，每层、每行、每个词元、每个头的结果，投影之前 |
| `gradients` | (L, B, T, N, H) | 浮点数组，损失对 `head_outputs` 的梯度 |
| `padding_mask` | (B, T) | bool 数组，True = 真词元 |
| `removed` | | 整数，关掉几个头，最多 L · (N − 1) 个 |

- 对一行文字来说，损失对某个头的开关的导数，就是 `head_outputs` 和 `gradients` 的乘积，在这一行的真词元和 H 上求和。
- 每行的导数先取绝对值，再对 B 行平均，就是这个头的重要性。最后每一层各自除以这一层的 L2 范数（各层的梯度大小不同，不这样没法比）。
- 所有层的头放在一起，从最不重要的开始关，关掉 `removed` 个；但每层至少留一个：轮到一层仅剩的头，就跳过它，关下一个。不会有一样重要的两个头。
- **返回** `(importance, kept)`：(L, N) 的浮点数组，和 (L, N) 的 bool 数组，True = 留着。

1. 先别盯着代码看，做实验：用小到手算得出来的例子（L = 2，N = 2，H = 1），看它返回什么。两行的导数一正一负呢？填充位置上放个大数呢？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `signs_cancel` | 先对各行平均，再取绝对值，正负就抵消了 |
| `absolute_too_early` | 每个词元就取了绝对值，再求和 |
| `padding_counts` | 填充位置也算进去了 |
| `layers_not_normalised` | 没有除以每层的范数 |
| `normalised_over_layers` | 除以的是同一个序号的头在各层的范数 |
| `most_important_removed` | 从最重要的开始关 |
| `a_layer_is_emptied` | 一层的最后一个头也会被关掉 |
| `layer_and_head_mixed_up` | 从排好的序号换算成层和头时，两个弄反了 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 7a.10 Debugging drill

`patient` below decides which heads to switch off, as Michel et al. (2019) do: gradients give every head a score of importance, and the least important go first. It runs, and its scores look plausible, but it has **one** fault. Other classes may get other faults.

`patient(head_outputs, gradients, padding_mask, removed)`:

| Argument | Shape | Notes |
|---|---|---|
| `head_outputs` | (L, B, T, N, H) | float array, what each head of each layer found for each token of each row, before the projection |
| `gradients` | (L, B, T, N, H) | float array, the gradient of the loss by `head_outputs` |
| `padding_mask` | (B, T) | bool array, True = a real token |
| `removed` | | int, how many heads to switch off, at most L · (N − 1) |

- For one row, the derivative by a head's switch is the product of `head_outputs` and `gradients`, summed over the row's real tokens and over H.
- The absolute value of each row's derivative, averaged over the B rows, is the importance of the head. At the end each layer is divided by its own L2 norm (gradients of different layers differ in size, and couldn't be compared otherwise).
- All heads of all layers together are switched off from the least important on, `removed` of them; but one head stays in every layer: when it is the turn of the last one of a layer, it is passed over, and the next goes instead. No two heads are equally important.
- **Returns** `(importance, kept)`: a float array of shape (L, N), and a bool array of shape (L, N), True = stays.

1. Don't stare at the code first; experiment with something small enough to do by hand (L = 2, N = 2, H = 1), and see what it says. What if the derivatives of two rows have different signs? What if there is a large number at padding?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `signs_cancel` | the mean over rows comes before the absolute value, so that signs cancel |
| `absolute_too_early` | the absolute value is taken of every token, and then summed |
| `padding_counts` | places of padding count, too |
| `layers_not_normalised` | layers are not divided by their norms |
| `normalised_over_layers` | what is divided by is the norm of the heads of one number over all layers |
| `most_important_removed` | the most important go first |
| `a_layer_is_emptied` | even the last head of a layer may be switched off |
| `layer_and_head_mixed_up` | in going from a place in the order to layer and head, the two are mixed up |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch07a_heads"
from drill import patient, suspect, repaired

# %% check="drill_ch07a_heads"
check("drill_ch07a_heads", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 7a.11 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）的 `BertBackbone` 只给最后的状态，不给权重；可是它的每一块都是 `TransformerEncoder`，调用时说一声 `return_attention_scores=True` 就有了（名字叫 scores，给的是 softmax **之后**的权重）。下面做一个很小的，把同样的参数读进课程库，两边的权重应当一样。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 7a.11 The same thing in KerasHub

`BertBackbone` of KerasHub (`keras_nlp` in old code) returns the last states only and no weights; but each of its blocks is a `TransformerEncoder`, and called with `return_attention_scores=True` it hands them over (they are called scores, and are the weights **after** the softmax). Below a tiny one is made and its parameters are read into the library of the course; the weights should be the same. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
try:
    import keras_hub
except ImportError:
    keras_hub = None
    say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
if keras_hub is not None and ready("attention_entropy"):
    from bert_keras.analysis.heads import attention_of as weights_of
    from bert_keras.checkpoints import build_backbone as backbone_of
    from bert_keras.checkpoints import from_kerashub

    keras.utils.set_random_seed(0)
    sizes = {"num_layers": 2, "num_heads": 3, "hidden_dim": 24, "intermediate_dim": 48}
    theirs = keras_hub.models.BertBackbone(30, **sizes, dropout=0.0, max_sequence_length=8)
    rng = np.random.default_rng(0)
    for variable in theirs.weights:  # fresh weights are so small that all heads look alike
        variable.assign(rng.normal(scale=0.5, size=variable.shape))
    ours = backbone_of(from_kerashub(theirs), dropout=0.0)
    batch = {
        "token_ids": rng.integers(1, 30, size=(2, 8)).astype("int32"),
        "segment_ids": np.zeros((2, 8), "int32"),
        "padding_mask": np.arange(8) < np.array([[8], [5]]),
    }
    mine = weights_of(ours, batch)  # (L, B, N, T, T)
    x = ours.all_states(batch)["hidden_states"][0]  # the embeddings
    for layer in range(sizes["num_layers"]):
        block = theirs.get_layer(f"transformer_layer_{layer}")
        mask = batch["padding_mask"].astype("int32")
        x, scores = block(x, padding_mask=mask, return_attention_scores=True)
        real = batch["padding_mask"]
        rows = [np.swapaxes(np.asarray(one), 1, 2)[real] for one in (scores, mine[layer])]
        gap = np.abs(rows[0] - rows[1]).max()
        wide = attention_entropy(np.asarray(scores), real)
        say(
            f"第 {layer + 1} 层：权重最多差 {gap:.0e}，各头的熵 {np.round(wide, 3)}",
            f"layer {layer + 1}: weights differ by {gap:.0e}, entropies {np.round(wide, 3)}",
        )

# %% [markdown] lang="zh"
r"""
## 7a.12 常见误解

先逐句判断，再看数字。

1. 注意力的权重就是解释：模型看了哪个词，就是因为哪个词。
2. BERT 的头停在 [SEP] 上。
3. 一个头如果很准地看着某种关系，模型就在用它。
4. 头很多，关掉一个不要紧，所以大部分头是多余的。
5. 从 72 个头里找出最准的那个，它的准确率就是它的本事。
"""

# %% [markdown] lang="en"
r"""
## 7a.12 Myth box

Judge each sentence first, then look at the numbers.

1. Attention weights are explanations: what the model looked at is why it said so.
2. BERT's heads rest on [SEP].
3. If a head looks along some relation with great accuracy, the model uses it.
4. There are many heads and each can be spared, so most of them are superfluous.
5. Find the best of 72 heads, and its accuracy is what it can do.
"""

# %% tags=["experiment"]
from bert_keras.analysis.weights import equivalent_weights
from bert_keras.layers.attention import split_heads

if attention is not None:
    # Head 1-1 on a long row: its values have 32 dimensions, so there are other weights.
    row = int(padding_mask.sum(axis=1).argmax())
    count = int(padding_mask[row].sum())
    one_row = {name: array[row : row + 1, :count] for name, array in inputs.items()}
    embedded = model.all_states(one_row)["hidden_states"][0]
    block = model.encoder_blocks[0].self_attention
    values = np.asarray(split_heads(block.value_dense(embedded), HEADS))[0, 0]  # (T, H)
    given = attention[0, row, 0, 1, :count].astype("float64")  # of the first word
    given /= given.sum()
    other = equivalent_weights(given, values)
    moved = np.abs(given - other).sum() / 2
    gap = np.abs(given @ values - other @ values).max()
    at_most = [one_row["token_ids"][0, int(one.argmax())] for one in (given, other)]
    favourites = checkpoint.vocabulary.words(at_most)
    say(
        f"1. {count} 个键，值 {values.shape[1]} 维：挪动 {moved:.0%} 的权重，输出只差 {gap:.0e}；"
        f"最大的从“{favourites[0]}”变成“{favourites[1]}”",
        f"1. {count} keys, values of {values.shape[1]} dimensions: with {moved:.0%} of the weight "
        f"moved the output differs by {gap:.0e}; the favourite goes from "
        f"'{favourites[0]}' to '{favourites[1]}'",
    )
for name, share in agreement.items():
    print("1.", name, f"{share:+.2f}")
if resting:
    say(
        f"2. MiniLM：[SEP] {resting['[SEP]'].mean():.1%}，[CLS] {resting['[CLS]'].mean():.1%}",
        f"2. MiniLM: [SEP] {resting['[SEP]'].mean():.1%}, [CLS] {resting['[CLS]'].mean():.1%}",
    )
if damage is not None and by_place:
    for name, found in by_place.items():
        layer, head = np.unravel_index(found.argmax(), found.shape)
        say(
            f"3. 在词当中，{layer + 1}-{head + 1} 看“{name}”{found.max():.0%}；关掉它，损失 "
            f"{damage[layer, head]:+.3f}（原来 {whole:.3f}）",
            f"3. among words, {layer + 1}-{head + 1} looks at the word {name} {found.max():.0%} of "
            f"the time; the loss without it: {damage[layer, head]:+.3f} (of {whole:.3f})",
        )
if damage is not None:
    masks = [ops.zeros((HEADS,))] * LAYERS
    states = masked_states(model, before[0], real_of := packed["test"]["padding_mask"], masks)
    none_left = float(loss_of(states, real_of, labels["test"])) - whole
    say(
        f"4. 一个一个关，损失的变化加起来 {damage.sum():+.3f}；一起全关 {none_left:+.3f}",
        f"4. one by one, the changes add up to {damage.sum():+.3f}; all at once {none_left:+.3f}",
    )
if halves:
    say(
        f"5. {best_name}：挑它的时候 {halves[0][best]:.0%}，再量一次 {halves[1][best]:.0%}",
        f"5. {best_name}: {halves[0][best]:.0%} when chosen, {halves[1][best]:.0%} when measured "
        "again",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **不是，至少单凭它不是。** 键比值的维数多的时候，有许多套权重给出**同一个输出**，上面就是一套：权重挪动了那么多，后面的层一点也看不出来。那么“看了哪个词”里，有一部分跟结果毫无关系。注意力说的是这个头把哪些位置的值掺在一起；值里是什么，后面还有旁路、前馈网络和别的层，它一概没说。想知道一个词要不要紧，就去改它、遮它，或者算积分梯度。（说清楚：另一套权重是算出来的，模型自己的查询和键不一定做得出来；Wiegreffe 和 Pinter 正是从这里反驳的。）
2. **看是哪个 BERT。** BERT-base 是，MiniLM 停在 [CLS] 上。不变的是“有个停靠的地方”。
3. **不一定。** 看得准是一回事，结果靠不靠它是另一回事，要关掉才知道。上面三个头都看得很准，单独关掉哪一个，损失都几乎不动。
4. **推不出来。** 每个都能单独少，不等于能一起少；上面两个数一比就知道。
5. **不是。** 那是七十二个里最走运的一个的成绩，要在没参加挑选的数据上再量。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **No, at least not by themselves.** Where there are more keys than dimensions in a value, many sets of weights give **the same output**. Above is one of them: so much weight was moved, and the layers that follow can't tell. So part of "what it looked at" has nothing to do with the result. Attention says from which places a head mixes values; it is silent about what is in them, about the bypass, the feed-forward network, and all the other layers. To know whether a word matters, change it, hide it, or take integrated gradients. (To be fair: the other weights are computed, and the model's own queries and keys may be unable to produce them, which is where Wiegreffe and Pinter object.)
2. **It depends on which BERT.** BERT-base does; MiniLM rests on [CLS]. What they share is that there is a place to rest.
3. **Not necessarily.** To look with accuracy is one thing, whether the result depends on it another; one has to switch it off to know. The three heads above look with accuracy, and without any one of them the loss hardly changes.
4. **It doesn't follow.** That each can go by itself doesn't mean that all can go; compare the two figures above.
5. **No.** It is the score of the luckiest of 72; measure it again on data that had no part in choosing.
"""

# %% [markdown] lang="zh" exercise="written_ch07a_heads"
r"""
## 7a.13 简答题

一篇博客放了一张图：某个 BERT 的 8-10 号头，在“医生叫护士过来，因为手术由她主刀”这句话里，从“她”连到“护士”的线最粗。文章说：“可见 BERT 有性别偏见，而且就在 8-10 号头里；把这个头删掉，偏见就没有了。”

用 150 字左右回答：这张图说明什么、不说明什么？引用本章的两个数字（至少一个是你**自己跑出来的**）；要支持“偏见在这个头里”，你会要求作者再做哪两样测量，各跟什么比？

这道题由老师评阅，不计入 42 分。好的回答里有两个数字（各说明什么）、两样测量（各有对照）和一句话说清“看”与“靠”的区别。
"""

# %% [markdown] lang="en" exercise="written_ch07a_heads"
r"""
## 7a.13 Written question

A blog shows a picture: in head 8-10 of some BERT, in the sentence "The doctor called the nurse because she had to operate", the widest line from "she" goes to "nurse". It says: "So BERT has a gender bias, and the bias is in head 8-10; delete that head, and it is gone."

Answer in about 100 words: what does the picture show, and what doesn't it? Quote two numbers of this notebook (at least one that **you ran yourself**). And which two measurements would you ask of the author to support "the bias is in this head", each compared with what?

Your teacher reads this one; it is not part of the 42 points. A good answer has two numbers (and what each of them shows), two measurements (each with something to compare) and one sentence on the difference between looking and depending.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 看出这是一句话、一个挑出来的头：引用 7a.4 里“挑的时候”和“再量一次”的准确率，或硬币的数；引用的数要说明用来支持什么。
2. 要求的测量之一：很多句子、所有的头、事先定好的候选和线，在没参加挑选的句子上报告，跟瞎猜（和把“她”换成“他”的句子）比。
3. 要求的测量之二：关掉这个头（跟关掉随便一个头比），看模型的**回答**变不变；说清楚“看”不等于“靠”，单独关掉一个头往往变化很小（7a.7 的数）。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Sees that it is one sentence and one chosen head: quotes the accuracies of 7a.4, when chosen and when measured again, or the figure of the coins; and says what each quoted number supports.
2. One measurement asked for: many sentences, all heads, candidates and bars fixed beforehand, reported on sentences that had no part in choosing, compared with guessing (and with sentences that have "he" for "she").
3. The other: switch this head off (compared with any other head) and see whether the model's **answer** changes; says that looking isn't depending, and that a single head often changes little (figures of 7a.7).
"""

# %% [markdown] lang="zh"
r"""
## 7a.14 小结：半页带走

| 量什么 | 怎么量 | 当心 |
|---|---|---|
| 宽 | $-\sum_j a_j \ln a_j$，真查询的平均 | 0 ln 0；填充的查询 |
| 远 | $\sum_j a_{ij} \, \lvert i - j \rvert$ | 停在 [CLS] 上也算“远” |
| 停在哪里 | 普通词给特殊词元的份额 | 各模型停的地方不同 |
| 关系 | 候选里最大的是不是目标 | 候选少，瞎猜也高；挑过要再量 |
| 像不像 | $1 - \text{JSD} / \ln 2$，先散度后平均 | 看的地方像，不等于干的事像 |
| 靠不靠它 | 关掉，看输出 | 单独可少，不等于一起可少 |
| 一个词的功劳 | 积分梯度，加起来等于 $F(x) - F(x')$ | 取决于基线 |

**四条规矩。** 先定线，再量；所有的头都报；挑出来的再量一次；要说“靠”，就得动手关。
"""

# %% [markdown] lang="en"
r"""
## 7a.14 Half a page to take with you

| What | How | Beware |
|---|---|---|
| how wide | $-\sum_j a_j \ln a_j$, mean over real queries | 0 ln 0; queries at padding |
| how far | $\sum_j a_{ij} \, \lvert i - j \rvert$ | resting on [CLS] is "far", too |
| where it rests | share that ordinary words give to special tokens | models rest in different places |
| relations | is the largest candidate the target? | with few candidates guessing is good; measure again what was chosen |
| how alike | $1 - \text{JSD} / \ln 2$, divergence first, then the mean | to look alike isn't to do alike |
| whether it is needed | switch it off, and look at the output | each can go, but not all |
| credit of a word | integrated gradients, which add up to $F(x) - F(x')$ | depends on the baseline |

**Four rules.** Set the bars, then measure; report all heads; measure again what was chosen; and to say "depends on", switch it off.
"""

# %% [markdown] lang="zh"
r"""
## 7a.15 接下来

- **7b** 不看权重，看状态：哪一层的向量里，读得出词性、句法、意思？一个探针答对了，算谁的本事？
- **7c** 查它靠什么答对，又会被什么骗倒。
- **第 8 章** 真的把头剪掉，参数变少，而不是乘个 0。

想读原文：[What Does BERT Look At?](https://arxiv.org/abs/1906.04341)（Clark 等人，2019）；[Are Sixteen Heads Really Better than One?](https://arxiv.org/abs/1905.10650)（Michel 等人，2019）；[积分梯度](https://arxiv.org/abs/1703.01365)（Sundararajan 等人，2017）；[Attention is not Explanation](https://arxiv.org/abs/1902.10186)（Jain 和 Wallace，2019）和它的回答 [Attention is not not Explanation](https://arxiv.org/abs/1908.04626)（Wiegreffe 和 Pinter，2019）；同一个输出有许多套权重，见 [On Identifiability in Transformers](https://arxiv.org/abs/1908.04211)（Brunner 等人，2020）。
"""

# %% [markdown] lang="en"
r"""
## 7a.15 Where next

- **7b** doesn't look at weights but at states: in which layer can parts of speech, syntax or meaning be read off the vectors? And if a probe gets it right, whose merit is it?
- **7c** asks by what a model answers rightly, and by what it is fooled.
- **Chapter 8** prunes heads for good, so that there are fewer parameters, and not zeros.

For the sources: [What Does BERT Look At?](https://arxiv.org/abs/1906.04341) (Clark et al., 2019); [Are Sixteen Heads Really Better than One?](https://arxiv.org/abs/1905.10650) (Michel et al., 2019); [integrated gradients](https://arxiv.org/abs/1703.01365) (Sundararajan et al., 2017); [Attention is not Explanation](https://arxiv.org/abs/1902.10186) (Jain and Wallace, 2019) and the reply, [Attention is not not Explanation](https://arxiv.org/abs/1908.04626) (Wiegreffe and Pinter, 2019); that many weights give one output is in [On Identifiability in Transformers](https://arxiv.org/abs/1908.04211) (Brunner et al., 2020).
"""
