# %% [markdown] lang="zh"
r"""
# 8 压缩：把 BERT 变小

BERT-base 有一亿一千万个参数，每个四字节，440 MB；一句话要过十二层。放进手机、放进一台没有显卡的旧服务器，就嫌大、嫌慢。能不能小一点，又不太笨？

办法有五种，各动各的地方：

- **剪枝**（pruning）：不要紧的参数改成 0，或者整个头切掉；
- **量化**（quantization）：一个参数不用四个字节，用一个；
- **蒸馏**（distillation）：让一个小模型跟大模型学；
- **低秩**（low rank）：一个大矩阵换成两个瘦的；
- **共享**（sharing）：所有的层用同一份参数。

每一种都有人说“小十倍、快十倍、效果几乎不变”。这一章就来查：**小**有三种（参数个数、文件的字节、压缩包的字节），**快**要在同一台机器上挨着量，**效果**要看留出的数据。三样东西常常不一起来：有的方法一个字节也不省，有的省了九成却一点也不快。**动手之前先说好哪些不会变快，为什么**，然后量。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `magnitude_prune` | 6 | 15 | 核心 | 所有核一起排；不看正负；True = 留下 | 随机的核 |
| `prune_heads` | 7 | 20 | 核心 | Q、K、V 切列，输出切行；输出的偏置留着 | 随机的参数 |
| `quantize_int8` | 7 | 20 | 核心 | 对称，−127 到 127；正好一半取偶数 | 随机数组 |
| `dequantize` | 3 | 5 | 核心 | 结果是 float32 | 随机整数 |
| `distillation_loss` | 7 | 20 | 核心 | KL(老师‖学生)，乘 T²；对 B 平均 | 随机 logits |
| `layer_mapping` | 4 | 8 | 核心 | 嵌入对嵌入，最后一层对最后一层 | 整数 |
| `low_rank` | 6 | 15 | 核心 | 只看乘积；奇异值分给哪边都行 | 随机的核 |
| `share_layers` | 4 | 12 | 加分 | L + 1 个状态，输入在最前 | 手写的块 |
| `drill_ch08_compression` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch08_compression` | 0 | 12 | 核心 | 老师评阅，不计入 50 分 | 本章的图和数字 |

核心练习 46 分，加分题 4 分，共 50 分。只做练习两个小时多一点，连同实验三小时；8.5 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 8 Compression: making BERT smaller

BERT-base has 110 million parameters of four bytes each, 440 MB, and a sentence goes through twelve layers. For a phone, or for an old server without a graphics card, that is too large and too slow. Can it be smaller without becoming much more stupid?

There are five ways, and each works on something else:

- **pruning**: weights that don't matter become 0, or whole heads are cut out;
- **quantization**: a weight takes one byte rather than four;
- **distillation**: a small model learns from a large one;
- **low rank**: a large matrix becomes the product of two thin ones;
- **sharing**: all layers use the same weights.

Of each you can read that it makes a model "ten times smaller and faster with almost the same quality". This notebook looks into it. There are three kinds of **small** (the number of parameters, the bytes of the file, the bytes of the packed file); **fast** has to be measured on one machine, side by side; **good** is what held-out data say. The three often don't come together: some ways save not a single byte, and some save nine tenths of them and are no faster at all. **We say beforehand which can't be faster, and why**; then we measure.

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `magnitude_prune` | 6 | 15 | core | all kernels are ranked together; signs don't matter; True = stays | random kernels |
| `prune_heads` | 7 | 20 | core | columns of Q, K and V, rows of the output, whose bias stays | random weights |
| `quantize_int8` | 7 | 20 | core | symmetric, −127 to 127; an exact half goes to the even number | random arrays |
| `dequantize` | 3 | 5 | core | gives float32 | random whole numbers |
| `distillation_loss` | 7 | 20 | core | KL(teacher‖student), times T²; a mean over B | random logits |
| `layer_mapping` | 4 | 8 | core | embeddings to embeddings, last to last | whole numbers |
| `low_rank` | 6 | 15 | core | the product counts; either side may take the singular values | random kernels |
| `share_layers` | 4 | 12 | stretch | L + 1 states, the input first | blocks by hand |
| `drill_ch08_compression` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch08_compression` | 0 | 12 | core | read by your teacher, not part of the 50 points | the pictures and numbers of this notebook |

46 core points and 4 for the stretch exercise, 50 in all. The exercises take a little over two hours, with the experiments three; just before 8.5 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np
from keras import ops

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, STYLES, chart, chart_words

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 8.1 它胖在哪里

拿 MiniLM 开刀（5c、7a 里见过）：英文的，六层，每层 12 个头，隐藏维度 384。它自己就是蒸馏出来的小模型，再小还能小多少？（第一次用时取一次，80 MB；取不到就跳过，不影响得分。）

效果这样量：给 BBC 新闻的标题分五类。300 个标题的向量（各词元状态的平均）上做一个逻辑回归，**以后再也不改它**；压缩之后，用同一个逻辑回归看另外 200 个标题对了几成。旁边再放一个不用标签的数：压缩以后的向量，跟原来的向量的余弦，平均多大。1 是一点没变。

**先猜**：参数最多的是哪一块？词元表、注意力，还是前馈网络？

再填一张表，写在纸上，8.8 来对：

| 方法 | 参数少了吗？ | 文件小了吗？ | CPU 上快了吗？ |
|---|---|---|---|
| 最小的 90 % 改成 0 | | | |
| 一半的头切掉 | | | |
| int8 | | | |
| 前馈网络的核换成秩 96 | | | |
| 所有的层共用一个块 | | | |

我们也事先说：**第一行和最后一行不会快**。0 也是数，矩阵乘法照样乘它；共用一个块，数据还是要过它那么多遍。省下的是地方，不是工夫。
"""

# %% [markdown] lang="en"
r"""
## 8.1 Where the weight is

We operate on MiniLM, which you met in 5c and 7a: English, six layers of 12 heads, hidden size 384. It was distilled itself; how much smaller can it get? (It is fetched when first used, 80 MB; if it can't be had, the cells are skipped and no points are lost.)

Quality is measured like this: titles of BBC news are sorted into five topics. A logistic regression learns from the vectors of 300 titles (means of the states of all tokens) **and is never touched again**; after each compression, the same logistic regression sorts 200 other titles. Beside that stands a figure which needs no labels: the mean cosine between the vectors of the compressed model and those of the original. 1 means that nothing has changed.

**Predict**: where are most of the parameters? In the table of tokens, in attention, or in the feed-forward networks?

And fill in a table, on paper; 8.8 will check it:

| Way | Fewer parameters? | A smaller file? | Faster on a CPU? |
|---|---|---|---|
| the smallest 90 % become 0 | | | |
| half of the heads are cut out | | | |
| int8 | | | |
| feed-forward kernels of rank 96 | | | |
| one block for all layers | | | |

We commit ourselves, too: **the first and the last row won't be faster**. A zero is a number, and a matrix product multiplies it like any other; a shared block is passed as many times as before. What they save is space, not work.
"""

# %% tags=["experiment"]
import tempfile

from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.layers.pooling import masked_mean
from bert_keras.text import packing
from bert_keras.text.corpora import bbc_news
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.wordpiece import WordPieceTokenizer

model, figures = None, {}  # by way: (share right, cosine)
try:
    from sklearn.linear_model import LogisticRegression

    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
    topics = bbc_news.load_topics()
except ImportError:
    say("没有安装 scikit-learn，跳过。", "scikit-learn is not installed; skipping it.")
except CorpusError as problem:
    say(f"取不到 MiniLM 或新闻，跳过：{problem}", f"MiniLM or the news can't be had: {problem}")
else:
    model = build_backbone(checkpoint, dropout=0.0)
    whole = model.get_weights()
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)


def vectors_of(backbone, batch):
    """The mean state of each row."""
    return np.asarray(masked_mean(backbone(batch)["sequence_output"], batch["padding_mask"]))


def judged(backbone):
    """Share of titles that are sorted right, and mean cosine with the original vectors."""
    now = vectors_of(backbone, packed["test"])
    lengths = np.linalg.norm(now, axis=1) * np.linalg.norm(before, axis=1)
    cosine = float(np.mean(np.sum(now * before, axis=1) / lengths))
    return classifier.score(now, labels["test"]), cosine


def told(name, found):
    """Remember and print what `judged` found."""
    figures[name] = found
    say(
        f"{name}：对 {found[0]:.1%}，余弦 {found[1]:.3f}",
        f"{name}: right {found[0]:.1%}, cosine {found[1]:.3f}",
    )


if model is not None:
    packed, labels = {}, {}
    for part, count in (("train", 300), ("test", 200)):  # they come topic by topic
        order = np.random.default_rng(0).permutation(len(topics[part]))[:count]
        ids = [(tokenizer.encode(topics[part][n].text)[:14], None) for n in order]
        packed[part] = packing.pack_batch(ids, checkpoint.vocabulary, 16)
        labels[part] = np.array([topics[part][n].label for n in order])
    before = vectors_of(model, packed["test"])
    classifier = LogisticRegression(C=3.0, max_iter=2000)
    classifier.fit(vectors_of(model, packed["train"]), labels["train"])
    parts = {}
    for variable in model.variables:
        places = variable.path.split("/")[1:]
        part = places[1] if places[0].startswith("encoder_block") else places[0]
        parts[part] = parts.get(part, 0) + int(np.prod(variable.shape))
    total = sum(parts.values())
    for part, count in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"{part:26} {count:>10,}  {count / total:6.1%}")
    say(f"一共 {total:,}，{4 * total / 1e6:.0f} MB", f"{total:,} in all, {4 * total / 1e6:.0f} MB")
    told(text("原样", "as it is"), judged(model))

# %% [markdown] lang="zh"
r"""
一半多是**词元表**：三万多个词元，每个 384 个数。查表不花时间，可是占地方；模型越小，它占的份额越大。所以“层数减半”省不了一半，下面的剪枝、低秩都只动六个块，对词元表毫无办法；只有 int8 连它一起变小。块里面，前馈网络是注意力的两倍。

200 个标题，一个准确率的标准误差大约 2 到 3 个百分点。所以别拿它分高下：差 5 个百分点以内的都当作差不多，细的差别看余弦。
"""

# %% [markdown] lang="en"
r"""
More than half of it is the **table of tokens**: thirty thousand tokens with 384 numbers each. To look something up takes no time, but it takes space; and the smaller a model, the larger the share of its table. So half of the layers isn't half of the model; pruning and low rank below work on the six blocks and can do nothing about the table; only int8 makes it smaller, too. Inside the blocks, feed-forward networks are twice as large as attention.

With 200 titles an accuracy has a standard error of 2 to 3 points. So don't rank by it: less than 5 points is no difference; for finer ones look at the cosine.
"""

# %% [markdown] lang="zh"
r"""
## 8.2 练习：小的参数，改成 0

最老的主意：接近 0 的参数，改成 0 也差不多。按绝对值从小到大排，去掉前面的一份（magnitude pruning）。排队要**所有的核一起排**：每个核各去掉八成，就等于说每个核一样要紧；一起排，数普遍小的核自然多去掉些。

在纸上：三个核 [−3, 0.5]、[0.1, 2]、[−0.2, 1]，去掉一半。绝对值从小到大：0.1、0.2、0.5、1、2、3，去掉前三个。第一个核丢一个，第二个丢一个，第三个丢一个；要是看正负排，丢的就是 −3、−0.2、0.1：最大的那个先没了。

写 `magnitude_prune(kernels, share)`：

- `kernels`：浮点数组的列表，至少一个，形状任意、可以各不相同。
- `share`：0 到 1 的数，要去掉的份额。
- **所有核的数放在一起**排，绝对值小的去掉，不看正负，也不管它在哪个核里。
- 一共 n 个数，去掉 `round(share * n)` 个（Python 的 `round`：正好一半时取偶数），不多不少。绝对值相同的，排在前面的先去掉：先看是列表里的第几个核，同一个核里按行读下来。
- 0 也参加排队，它最小。所以同样的份额剪两遍，跟剪一遍一样。
- **返回** bool 数组的列表，形状和各个核相同，True = 留下。返回的是掩码，不是剪过的核；`kernels` 别改动。
- `share` 不在 0 到 1 之间，抛出 `ValueError`。
- 用 NumPy。
"""

# %% [markdown] lang="en"
r"""
## 8.2 Exercise: what is small becomes 0

The oldest idea: a weight that is almost 0 might as well be 0. Rank by size, and remove the smallest ones (magnitude pruning). **All kernels are ranked together**: to take eight tenths from each would mean that all kernels matter alike; ranked together, a kernel of small numbers loses more.

On paper: three kernels, [−3, 0.5], [0.1, 2] and [−0.2, 1]; one half goes. By size they are 0.1, 0.2, 0.5, 1, 2, 3, and the first three go: one of each kernel. Ranked with their signs, −3, −0.2 and 0.1 would go: the largest first.

Write `magnitude_prune(kernels, share)`:

- `kernels`: list of float arrays, at least one, of any shapes, which may differ.
- `share`: number from 0 to 1, the share to remove.
- The numbers of **all kernels together** are ranked, and those of the smallest size go, whatever their sign and whichever kernel they are in.
- Of n numbers in all, `round(share * n)` go (Python's `round`: an exact half goes to the even number), no more and no fewer. Of equal sizes the earlier one goes first: by its kernel's place in the list, and within a kernel row by row.
- Zeros are ranked, too; they are the smallest. So pruning twice to one share is the same as once.
- **Returns** a list of bool arrays of the shapes of the kernels, True = stays. These are masks, not pruned kernels; don't change `kernels`.
- If `share` isn't from 0 to 1, `ValueError` is raised.
- Use NumPy.
"""

# %% exercise="magnitude_prune"
from bert_keras.compression.prune import magnitude_prune

# %% check="magnitude_prune"
check("magnitude_prune", magnitude_prune)

# %% [markdown] lang="zh"
r"""
**看一看。** MiniLM 六个块里的 36 个核，一起去掉 80 %。左图：所有的数的分布，剪之前和剪之后（0 那一根没有画，它有多高，下面写着）。右图：每种核丢了几成。

**先猜**：注意力的四个核和前馈网络的两个核，哪一种丢得多？去掉 50 %、80 %、90 %，标题还分得对吗？
"""

# %% [markdown] lang="en"
r"""
**See it.** The 36 kernels in MiniLM's six blocks, 80 % of them removed together. On the left the distribution of all numbers, before and after (the bar at 0 isn't drawn; its height is printed below). On the right, what each kind of kernel loses.

**Predict**: of the four kernels of attention and the two of feed-forward networks, which lose most? And without 50 %, 80 % or 90 %, are titles still sorted right?
"""

# %% tags=["experiment"]


def kernels_of(backbone):
    """The variables of all kernels in the blocks."""
    return [
        one for one in backbone.variables if one.path.endswith("/kernel") and "block" in one.path
    ]


if model is not None and ready("magnitude_prune"):
    kernels = [np.asarray(one) for one in kernels_of(model)]
    masks = {share: magnitude_prune(kernels, share) for share in (0.5, 0.8, 0.9)}
    for share, stays in masks.items():
        for variable, kernel, mask in zip(kernels_of(model), kernels, stays):
            variable.assign(kernel * mask)
        told(text(f"{share:.0%} 改成 0", f"{share:.0%} zeros"), judged(model))
    model.set_weights(whole)
    kinds = {}
    for variable, mask in zip(kernels_of(model), masks[0.8]):
        part, name = variable.path.split("/")[-3:-1]
        kinds.setdefault(f"{part} / {name}", []).append(np.mean(~mask))
    flat = np.concatenate([one.ravel() for one in kernels])
    kept = np.concatenate([(one * mask)[mask] for one, mask in zip(kernels, masks[0.8])])
    words = chart_words(LANG)
    with chart(2, width=4.6) as (left, right):
        edges = np.linspace(-0.2, 0.2, 81)
        left.hist(flat, edges, color=COLOURS[5], label=words("剪之前", "before"))
        left.hist(kept, edges, color=COLOURS[0], label=words("留下的", "what stays"))
        left.set_xlabel(words("参数", "weight"))
        left.set_ylabel(words("个数", "how many"))
        left.legend(fontsize=8)
        losses = [100 * np.mean(one) for one in kinds.values()]
        right.barh(range(len(kinds)), losses, color=COLOURS[0])
        right.set_yticks(range(len(kinds)), list(kinds), fontsize=8)
        right.axvline(80, ls="--", color="grey", lw=1)
        right.set_xlabel(words("丢了百分之几", "per cent removed"))
    say(
        f"一共 {flat.size:,} 个数，80 % 是 {flat.size - kept.size:,} 个 0",
        f"{flat.size:,} numbers in all; 80 % are {flat.size - kept.size:,} zeros",
    )

# %% [markdown] lang="zh"
r"""
上面的丢法一点也不平均：注意力的 Q、K 丢得比八成少，两个 `output` 丢得多，因为那里的数本来就小。要是每个核各丢八成，就把 Q、K 里不小的数也丢了。

效果呢？去掉一半，标题就差了一截；去掉八成，余弦只剩三分之一，比瞎猜（五类，总猜最多的那一类）好不了多少。常听说“去掉九成也没事”，说的是**接着练**过的：剪一点，练一阵，再剪一点（Han 等人 2015），练的时候 0 要一直保持是 0，不然优化器第一步就把它们救活了。接着练能追回多少，看 8.9。

再想想省了什么。10,616,832 个数，剪完还是 10,616,832 个数，每个四字节；文件一点没小。
"""

# %% [markdown] lang="en"
r"""
The loss is anything but even: Q and K of attention lose less than eight tenths, and both kernels called `output` lose more, for their numbers are small to begin with. With eight tenths from each, numbers in Q and K that aren't small would have gone, too.

And quality? Without one half, the titles are clearly worse; without eight tenths, the cosine is a third, and titles do not much better than guessing (five topics; always say the most frequent one). "Nine tenths can go without harm" is said of models that were **trained on**: prune a little, train a while, prune some more (Han et al., 2015); and in this training zeros have to be kept zero, or the first step of the optimizer brings them back to life. How much that regains, see 8.9.

And what has been saved? 10,616,832 numbers before, 10,616,832 numbers afterwards, of four bytes each; the file is as large as it was.
"""

# %% [markdown] lang="zh"
r"""
## 8.3 练习：整个头，切掉

7a 里关掉一个头，是给它乘 0：输出变了，参数一个没少，时间一点没省，0 还在矩阵里。要真的变小，就把属于这个头的那些行和列**切掉**，矩阵变窄。切完的输出，应当跟乘 0 的**一模一样**。

哪些数属于第 n 个头？回忆多头注意力（3a）：Q、K、V 的核是 (任意, N·H)，输出的每 H 列是一个头，偏置也是；N 个头的结果并排放好，N·H 个数，再乘输出的核 (N·H, D)。所以在那里，头占的是**行**：

| 名字 | 形状 | 第 n 个头占 | 切完以后 |
|---|---|---|---|
| `query_kernel`、`key_kernel`、`value_kernel` | (任意, N·H) | 列 n·H 到 (n+1)·H | (任意, n′·H) |
| `query_bias`、`key_bias`、`value_bias` | (N·H,) | 同上 | (n′·H,) |
| `output_kernel` | (N·H, D) | **行** n·H 到 (n+1)·H | (n′·H, D) |
| `output_bias` | (D,) | 不属于任何一个头 | (D,)，原样 |

n′ 是剩下几个头。切错了轴，很多时候不会报错：BERT 里 N·H = D，输出的核是方的，切列也切得动，数就全错了。

写 `prune_heads(weights, heads, num_heads)`：

| 参数 | 说明 |
|---|---|
| `weights` | 浮点数组的字典，就是上表的八个名字。D 和“任意”都不一定等于 N·H |
| `heads` | 整数的列表，要切掉的头，从 0 数起；次序随意，可以是空的，同一个头写两遍算一遍 |
| `num_heads` | 整数 N，原来有几个头 |

- **返回**同样八个名字的字典，形状如上表，剩下的头次序不变；`weights` 和里面的数组别改动。
- 所有的头都切掉也可以：n′ = 0，剩下的只有输出的偏置（这一层就只剩旁路，加上一个常数）。
- 有的头不存在（负数也算不存在），抛出 `ValueError`。
- 用 NumPy。
"""

# %% [markdown] lang="en"
r"""
## 8.3 Exercise: cut out whole heads

In 7a a head was switched off by multiplying it with 0: the output changed, but not one parameter was saved and no time, for the zeros are still in the matrix. To get smaller, the rows and columns of that head have to be **cut out**, so that matrices become narrower. The output must be **exactly** that of multiplying with 0.

What belongs to head n? Remember multi-head attention (3a). The kernels of Q, K and V are (any, N·H), and every H columns are a head, in the biases, too. The results of N heads stand side by side, N·H numbers, and are multiplied with the output's kernel, (N·H, D). So there a head owns **rows**:

| Name | Shape | Head n owns | Afterwards |
|---|---|---|---|
| `query_kernel`, `key_kernel`, `value_kernel` | (any, N·H) | columns n·H to (n+1)·H | (any, n′·H) |
| `query_bias`, `key_bias`, `value_bias` | (N·H,) | the same | (n′·H,) |
| `output_kernel` | (N·H, D) | **rows** n·H to (n+1)·H | (n′·H, D) |
| `output_bias` | (D,) | it belongs to no head | (D,), as it was |

n′ is the number of heads that stay. To cut along the wrong axis often raises no error: in BERT N·H = D, the output's kernel is square, its columns can be cut as well, and every number is wrong.

Write `prune_heads(weights, heads, num_heads)`:

| Argument | Notes |
|---|---|
| `weights` | dict of float arrays, the eight names of the table. Neither D nor "any" need be N·H |
| `heads` | list of ints, the heads to cut out, counted from 0, in any order; may be empty, and the same one twice counts once |
| `num_heads` | int N, how many heads there were |

- **Returns** a dict of the same eight names with the shapes of the table; the order of the heads that stay is kept. Don't change `weights` nor the arrays in it.
- All heads may go: then n′ = 0, and only the output's bias is left (of the layer, that is the bypass and a constant).
- For a head that there isn't (a negative one isn't there, either) `ValueError` is raised.
- Use NumPy.
"""

# %% exercise="prune_heads"
from bert_keras.compression.prune import prune_heads

# %% check="prune_heads"
check("prune_heads", prune_heads)

# %% [markdown] lang="zh"
r"""
**看一看：一模一样吗？** MiniLM 第 1 层的注意力，读几个标题。切掉 2、5、7、11 号头；另一边，用 7a 的 `head_ablation` 把这四个头乘 0。两个输出差多少？参数各有多少个？再换一次：12 个头全切掉。
"""

# %% [markdown] lang="en"
r"""
**See it: exactly the same?** Attention of MiniLM's first layer reads some titles. Heads 2, 5, 7 and 11 are cut out; on the other side `head_ablation` of 7a multiplies those four with 0. By how much do the two outputs differ, and how many parameters has each? And once more with all 12 heads cut out.
"""

# %% tags=["experiment"]
from bert_keras.analysis.ablation import head_ablation, heads_off
from bert_keras.layers.attention import scaled_dot_product, split_heads


def attended(x, real, weights, heads, head_mask):
    """Self-attention with these weights, (B, T, D); head_mask has a number for each head."""
    projected = (
        ops.matmul(x, weights[f"{part}_kernel"]) + weights[f"{part}_bias"]
        for part in ("query", "key", "value")
    )
    query, key, value = (split_heads(one, heads) for one in projected)  # (B, n, T, H)
    found, _ = scaled_dot_product(query, key, value, mask=real[:, None, None, :])
    by_head = ops.reshape(weights["output_kernel"], (heads, -1, x.shape[-1]))  # (n, H, D)
    return head_ablation(
        ops.transpose(found, (0, 2, 1, 3)), by_head, weights["output_bias"], head_mask
    )


def count_of(weights):
    return sum(one.size for one in weights.values())


saved_parameters = None
if model is not None and ready("prune_heads"):
    HEADS = model.num_heads
    some = {name: array[:8] for name, array in packed["test"].items()}
    x, real = model.all_states(some)["hidden_states"][0], some["padding_mask"]
    layer = model.encoder_blocks[0].self_attention
    weights = {
        f"{part}_{kind}": np.asarray(getattr(getattr(layer, f"{part}_dense"), kind))
        for part in ("query", "key", "value", "output")
        for kind in ("kernel", "bias")
    }
    gone = [2, 5, 7, 11]
    switches = np.ones(HEADS, "float32")
    switches[gone] = 0.0
    masked = attended(x, real, weights, HEADS, switches)
    small = prune_heads(weights, gone, HEADS)
    left = HEADS - len(gone)
    cut = attended(x, real, small, left, np.ones(left, "float32"))
    gap = float(ops.max(ops.abs(masked - cut)))
    saved_parameters = 1 - count_of(small) / count_of(weights)
    say(
        f"乘 0：{count_of(weights):,} 个参数；切掉：{count_of(small):,} 个。输出最多差 {gap:.1g}",
        f"times 0: {count_of(weights):,} parameters; cut out: {count_of(small):,}. "
        f"The outputs differ by {gap:.1g} at most",
    )
    nothing = prune_heads(weights, list(range(HEADS)), HEADS)
    say(
        f"12 个全切：剩 {count_of(nothing)} 个参数，就是输出的偏置",
        f"all 12 cut out: {count_of(nothing)} parameters are left, the output's bias",
    )

# %% [markdown] lang="zh"
r"""
**切哪些？** 库里有个不看数据的办法：一个头最多能说多大的话，看它从值到输出那条路 $W_V W_O$ 有多大（`weakest_heads`，每层至少留最强的一个）。拿它跟两种次序比：随机，和反过来（先切最强的）。切掉和乘 0 一样，所以这里就用 7a 的 `heads_off`，省得每次重搭。

**先猜**：按强弱切，比随机切好多少？
"""

# %% [markdown] lang="en"
r"""
**Which ones?** The library has a way that looks at no data: how much a head can say at most is the size of its way from value to output, $W_V W_O$ (`weakest_heads`; each layer keeps its strongest one). We compare it with two other orders: at random, and the other way round, strongest first. As cutting and multiplying with 0 are the same, `heads_off` of 7a will do here, and nothing has to be built anew.

**Predict**: how much better is it to go by strength than at random?
"""

# %% tags=["experiment"]
from bert_keras.compression.compress import weakest_heads

by_order = {}
if model is not None and ready("prune_heads"):
    weakest = weakest_heads(model, 0.9)
    every = [(n + 1, h + 1) for n in range(model.num_layers) for h in range(model.num_heads)]
    shuffled = [every[n] for n in np.random.default_rng(0).permutation(len(every))]
    orders = {
        ("先切弱的", "weakest first"): weakest,
        ("随机", "at random"): shuffled,
        ("先切强的", "strongest first"): weakest[::-1],
    }
    shares = (0.25, 0.5, 0.75)
    for name, order in orders.items():
        by_order[name] = []
        for share in shares:
            with heads_off(model, order[: round(share * len(every))]):
                by_order[name].append(judged(model))
    words = chart_words(LANG)
    with chart(2, width=4.2) as axes:
        for which, axis in enumerate(axes):
            for n, (name, found) in enumerate(by_order.items()):
                axis.plot(
                    (0, *shares),
                    [figures[text("原样", "as it is")][which], *(one[which] for one in found)],
                    marker=MARKERS[n],
                    color=COLOURS[n],
                    label=words(*name),
                )
            axis.set_xlabel(words("切掉的头", "share of heads cut out"))
        axes[0].set_ylabel(words("标题分对", "titles sorted right"))
        axes[1].set_ylabel(words("余弦", "cosine"))
        axes[0].legend(fontsize=8)
    for name, found in by_order.items():
        each = (f"{s:.0%}: {share:.1%} / {cosine:.3f}" for s, (share, cosine) in zip(shares, found))
        print(f"{text(*name)}  {'  '.join(each)}")

# %% [markdown] lang="zh"
r"""
没想到吧：**按强弱切，跟随机切差不多**；切到四分之三，连“先切强的”都不比它差。一个头的路宽，不等于模型靠它；7a 里说过，要知道靠不靠，得用数据量（梯度、消融）。“不看数据”省事，代价就在这里。也别忘了这是一次随机、200 个标题，差几个百分点不算数。

跟 8.2 比一比倒是清楚：切掉一半的头，和把一半的数改成 0，效果掉得差不多；可是切头真的省了参数和时间。
"""

# %% [markdown] lang="en"
r"""
A surprise: **by strength is about as good as at random**; and without three quarters not even "strongest first" is worse. That a head has a wide way doesn't mean that the model needs it; as 7a said, to know what is needed one has to measure on data (gradients, ablation). To do without data is convenient, and this is the price. Don't forget, either, that this is one random order and 200 titles, where a few points mean nothing.

Compared with 8.2 one thing is clear: without half of the heads the model loses about as much as with half of its numbers at 0; but cutting heads does save parameters and time.
"""

# %% [markdown] lang="zh"
r"""
## 8.4 练习：八位整数

常有人说“量化就是把 double 变成 int32”，两头都不对。模型的参数本来就是 float32，四个字节；int32 也是四个字节，一点不省。量化是用**一个**字节：int8，只有 256 个值。怎么用 256 个值装下所有的小数？给一个**尺度**（scale）s，每个数写成 s 的整数倍：

$$x \approx q \cdot s, \qquad s = \frac{\max |x|}{127}, \qquad q = \text{round}(x / s)$$

这是**对称**的量化：0 恰好是 0，q 从 −127 到 127。int8 还能写 −128，不用它：用了，正负两头就不对称，除以 128 的话，最大的数又会变成 +128，int8 里没有，绕回去成了 −128，符号都反了。

在纸上：x = [−1, 0.3, 1]，s = 1/127，q = [−127, 38, 127]。乘回去，0.3 成了 0.2992。误差最多 s/2，因为四舍五入最多差半格。

**一个尺度够不够？** 一列的数特别大，尺度就跟着大，别的列全都粗了。所以核 (in, out) 常常**每个输出列一个尺度**（per channel），`axis=1`：在那个轴上，每个位置各有各的尺度。

写 `quantize_int8(x, axis=None)`：

- `x`：浮点数组，形状任意，至少一个数，都是有限的。
- `axis`：`None` 是整个数组一个尺度；给一个轴（负数从后往前数），就是这个轴上**每个位置**各有一个尺度，别的轴合在一起求最大值。
- 尺度 = 最大的绝对值 / 127；全是 0 的地方，尺度是 1。
- **返回** `(q, scale)`：`q` 的 dtype 是 int8，形状和 `x` 一样，`x / scale` 取最近的整数（正好一半取偶数，`np.round` 就是这样），都在 −127 到 127 之间；`scale` 的 dtype 是 float32：`axis=None` 时形状是 ()，否则轴数和 `x` 一样多，别的轴长度都是 1（这样才能直接跟 `q` 相乘）。
- 用 NumPy，`x` 别改动。
"""

# %% [markdown] lang="en"
r"""
## 8.4 Exercise: whole numbers of eight bits

"Quantization means double to int32": wrong at both ends. The weights of a model are float32 to begin with, four bytes; int32 has four bytes as well, and saves nothing. To quantize is to use **one** byte, int8, which has 256 values. How do all those fractions get into 256 values? With a **scale** s, each number is written as a whole multiple of s:

$$x \approx q \cdot s, \qquad s = \frac{\max |x|}{127}, \qquad q = \text{round}(x / s)$$

That is **symmetric** quantization: 0 is exactly 0, and q runs from −127 to 127. There is a −128 in int8, but it isn't used: with it the two ends would differ; and divided by 128, the largest number would become +128, which int8 doesn't have, so that it wraps round to −128, with the wrong sign.

On paper: x = [−1, 0.3, 1] has s = 1/127 and q = [−127, 38, 127]. Multiplied back, 0.3 has become 0.2992. The error is s/2 at most, since rounding is off by half a step at most.

**Is one scale enough?** If one column has large numbers, the scale is large, and all other columns become coarse. That is why a kernel (in, out) often has **a scale for each output column** (per channel), `axis=1`: along that axis, every index has a scale of its own.

Write `quantize_int8(x, axis=None)`:

- `x`: float array of any shape, with at least one number, all of them finite.
- `axis`: `None` means one scale for the whole array; with an axis (a negative one counts from the end), **each index** along it has a scale of its own, and the maximum is taken over all other axes.
- A scale is the largest absolute value / 127; where all numbers are 0, the scale is 1.
- **Returns** `(q, scale)`: `q` has dtype int8 and the shape of `x`, `x / scale` rounded to the nearest whole number (an exact half to the even one, as `np.round` does), always from −127 to 127; `scale` has dtype float32, and shape () with `axis=None`, else as many axes as `x`, all others of length 1 (so that it can be multiplied with `q` as it is).
- Use NumPy, and don't change `x`.
"""

# %% exercise="quantize_int8"
from bert_keras.compression.quantize import quantize_int8

# %% check="quantize_int8"
check("quantize_int8", quantize_int8)

# %% [markdown] lang="zh"
r"""
**乘回去。** 写 `dequantize(q, scale)`：

- `q`：int8 数组，形状任意；`scale`：float32，形状能广播到 `q` 的形状。
- **返回** float32 数组，形状和 `q` 一样：`q` 乘 `scale`。先变成 float32 再乘，别让乘法在 int8 里做（127 乘 2 在 int8 里是 −2）。
"""

# %% [markdown] lang="en"
r"""
**And back.** Write `dequantize(q, scale)`:

- `q`: int8 array of any shape; `scale`: float32, of a shape that broadcasts to that of `q`.
- **Returns** a float32 array of the shape of `q`: `q` times `scale`. It becomes float32 before it is multiplied; in int8, 127 times 2 would be −2.
"""

# %% exercise="dequantize"
from bert_keras.compression.quantize import dequantize

# %% check="dequantize"
check("dequantize", dequantize)

# %% [markdown] lang="zh"
r"""
**看一看。** MiniLM 第 3 层前馈网络的第一个核。左图：整数的分布，整个核一个尺度，和每列一个尺度。右图：每一列的误差（均方根，占这一列大小的几分之几），两种办法。**先猜**：哪一种用到的格子多？

然后把模型所有的核和词元表都量化再乘回来，看标题分得怎样。还有一个恶作剧：把第 3 层这个核的**一列**放大 30 倍，别的列会怎样？
"""

# %% [markdown] lang="en"
r"""
**See it.** The first kernel of MiniLM's third feed-forward network. On the left the distribution of whole numbers, with one scale for the kernel and with one for each column. On the right the error of every column (root mean square, as a share of the column's size), both ways. **Predict**: which uses more of the 255 values?

Then all kernels of the model and its table of tokens are quantized and multiplied back, and the titles sorted again. And a prank: what happens to all other columns of that kernel when **one** column is made 30 times as large?
"""

# %% tags=["experiment"]


def relative_error(kernel, axis=None):
    """Root mean square of each column's error, as a share of the column's own."""
    back = dequantize(*quantize_int8(kernel, axis))
    return np.sqrt(np.mean((back - kernel) ** 2, axis=0) / np.mean(kernel**2, axis=0))


in_bytes = None
if model is not None and ready("quantize_int8", "dequantize"):
    kernel = np.asarray(model.encoder_blocks[2].feed_forward.intermediate_dense.kernel)
    ways = {("一个尺度", "one scale"): None, ("每列一个", "one a column"): 1}
    words = chart_words(LANG)
    with chart(2, width=4.4) as (left, right):
        for n, (name, axis) in enumerate(ways.items()):
            q, _ = quantize_int8(kernel, axis)
            left.hist(
                q.ravel(),
                np.arange(-127.5, 128, 3),
                color=COLOURS[n],
                alpha=0.6,
                label=words(*name),
            )
            errors = np.sort(relative_error(kernel, axis))
            right.plot(100 * errors, STYLES[n], color=COLOURS[n])
            say(
                f"{text(*name)}：平均误差 {relative_error(kernel, axis).mean():.2%}",
                f"{text(*name)}: mean error {relative_error(kernel, axis).mean():.2%}",
            )
        left.set_xlabel(words("整数 q", "whole number q"))
        left.set_ylabel(words("个数", "how many"))
        left.legend(fontsize=8)
        right.set_xlabel(words("列（按误差排）", "columns, by error"))
        right.set_ylabel(words("误差，%", "error, per cent"))
        right.set_ylim(0)
    one_loud = kernel.copy()
    one_loud[:, 0] *= 30
    for name, axis in ways.items():
        others = relative_error(one_loud, axis)[1:].mean()
        say(
            f"一列放大 30 倍以后，别的列（{text(*name)}）：{others:.2%}",
            f"with one column 30 times as large, the others ({text(*name)}): {others:.2%}",
        )
    tables = [one for one in model.variables if len(one.shape) == 2]
    for name, axis in ways.items():
        in_bytes = 0
        for variable in tables:
            array = np.asarray(variable)
            # A table is looked up row by row, so there each row has a scale.
            place = axis if variable.path.endswith("/kernel") or axis is None else 0
            q, scale = quantize_int8(array, place)
            in_bytes += q.nbytes + scale.nbytes
            variable.assign(dequantize(q, scale))
        told(f"int8, {text(*name)}", judged(model))
        model.set_weights(whole)
    in_bytes += sum(4 * int(np.prod(one.shape)) for one in model.variables if len(one.shape) != 2)
    say(
        f"{4 * total / 1e6:.1f} MB → {in_bytes / 1e6:.1f} MB",
        f"{4 * total / 1e6:.1f} MB → {in_bytes / 1e6:.1f} MB",
    )

# %% [markdown] lang="zh"
r"""
一个尺度，大多数整数挤在 0 附近：整个核里最大的那个数决定了格子有多粗。每列一个尺度，每列都用满了 255 个值，误差小了一大截，代价是每列多存一个 float32。恶作剧里，一列放大 30 倍，一个尺度的别的列误差涨到原来的十倍，每列一个尺度的**一点不受影响**。这种特别大的列和词元在大模型里真有，是量化的头号麻烦。

效果几乎没变，大小是四分之一。注意这里只是“存成 int8、用的时候乘回去”；真拿整数去乘，输入也得量化，误差还多一份，8.11 再看。
"""

# %% [markdown] lang="en"
r"""
With one scale most whole numbers crowd around 0: the largest number of the whole kernel decides how coarse the steps are. With a scale for each column, every column uses all 255 values; the error is much smaller, at the price of one more float32 a column. In the prank, one column 30 times as large made the error of all others ten times larger with one scale, and changed **nothing at all** with a scale for each. Such columns and tokens do occur in large models, and are the chief trouble of quantization.

Quality has hardly changed, and it is a quarter of the size. Mind that here numbers were kept as int8 and multiplied back for use; to multiply whole numbers, the input has to be quantized as well, which adds another error; see 8.11.
"""

# %% [markdown] lang="zh"
r"""
## 8.5 练习：跟老师学

前面几种都是拿大模型来切。蒸馏（Hinton 等人 2015）是另起炉灶：搭一个小的（学生），让它学大的（老师）**说什么**。

老师说的比标签多。一个标题，标签只说“科技”；老师说“科技 0.90，商业 0.09，体育 0.0001”：它把哪些类看得相近，也一并说了。可是 0.0001 这样的数，在损失里几乎看不见。于是两边的 logits 都除以**温度** T（大于 1），概率就软了，小的也看得见：

$$p_i = \text{softmax}(z_i / T)$$

学生的软损失是两个软概率的 KL 散度，老师在前：

$$\text{KL}(p \,\|\, q) = \sum_c p_c (\ln p_c - \ln q_c)$$

除以 T 有个副作用：梯度小了大约 $T^2$ 倍（T 从 2 变到 8，软损失的梯度就差 16 倍，跟标签那一份一比，等于没有）。所以乘回 **T²**。再加上标签的交叉熵（那里 T = 1）：

$$\text{loss} = \alpha \, T^2 \, \text{KL}(p \,\|\, q) + (1 - \alpha) \, \text{CE}(\text{labels}, \text{student})$$

写 `distillation_loss(student_logits, teacher_logits, labels, temperature, alpha)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `student_logits` | (B, C) | 浮点张量，学生的 logits，没有除过 T |
| `teacher_logits` | (B, C) | 浮点张量，老师的；**不许有梯度流进去**：学的是学生 |
| `labels` | (B,) | 整数张量，正确的类 |
| `temperature` | | T，大于 0 的数 |
| `alpha` | | 0 到 1 的数，老师的分量 |

- KL 是对 C 个类求**和**，再对 B 句求**平均**；交叉熵也是对 B 句求平均，用的是没有除过 T 的 `student_logits`。
- 是 KL，不是拿软概率做的交叉熵：那一个多出老师的熵，梯度一样，数不一样。学生和老师的 logits 相同时，KL 恰好是 0。
- logits 可能相差几百，结果也要有限、要准（先求概率再取对数就不行）。
- **返回**形状 () 的浮点张量，单位奈特。用 `keras.ops`；B 在编译时可能还不知道。
"""

# %% [markdown] lang="en"
r"""
## 8.5 Exercise: learn from a teacher

The ways above cut a large model down. Distillation (Hinton et al., 2015) begins anew: build a small one, the student, and let it learn **what the large one says**, the teacher.

A teacher says more than a label. Of a title the label only says "tech"; the teacher says "tech 0.90, business 0.09, sports 0.0001", and so tells, too, which classes it finds similar. But a number like 0.0001 is hardly seen in a loss. So both models' logits are divided by a **temperature** T above 1; probabilities become softer, and small ones show:

$$p_i = \text{softmax}(z_i / T)$$

The student's soft loss is the KL divergence of the two soft distributions, the teacher's first:

$$\text{KL}(p \,\|\, q) = \sum_c p_c (\ln p_c - \ln q_c)$$

To divide by T has a side effect: gradients shrink by about $T^2$ (from T = 2 to T = 8 that of the soft loss falls to a sixteenth, and beside the labels there is nothing left of it). So it is multiplied by **T²** again. And then there is the cross-entropy with the labels, where T = 1:

$$\text{loss} = \alpha \, T^2 \, \text{KL}(p \,\|\, q) + (1 - \alpha) \, \text{CE}(\text{labels}, \text{student})$$

Write `distillation_loss(student_logits, teacher_logits, labels, temperature, alpha)`:

| Argument | Shape | Notes |
|---|---|---|
| `student_logits` | (B, C) | float tensor, the student's logits, not divided by T |
| `teacher_logits` | (B, C) | float tensor, the teacher's; **no gradient may flow into it**: it is the student that learns |
| `labels` | (B,) | int tensor, the right classes |
| `temperature` | | T, a number above 0 |
| `alpha` | | number from 0 to 1, the weight of the teacher |

- KL is a **sum** over the C classes and then a **mean** over the B rows; the cross-entropy is a mean over the B rows, too, and takes `student_logits` undivided.
- It is KL and not the cross-entropy with soft probabilities, which has the teacher's entropy in it: the same gradient, another number. When student and teacher have the same logits, KL is exactly 0.
- Logits may be hundreds apart, and the result has to be finite and right (to take the logarithm of a probability won't do).
- **Returns** a float tensor of shape (), in nats. Use `keras.ops`; when it is compiled, B may be unknown.
"""

# %% exercise="distillation_loss"
from bert_keras.compression.distill import distillation_loss

# %% check="distillation_loss"
check("distillation_loss", distillation_loss)

# %% [markdown] lang="zh"
r"""
**看一看。** 左图：一个老师的四个 logits（6、4、1、−2），T = 1、2、4、8 时的概率。右图：随机的学生和老师，`alpha=1`，不同的 T 下，你的损失，和没有乘 T² 的（拿它除以 T²）。**先猜**：T = 8 的时候，右图两条线差几倍？
"""

# %% [markdown] lang="en"
r"""
**See it.** On the left four logits of a teacher (6, 4, 1, −2) as probabilities at T = 1, 2, 4, 8. On the right a random student and a random teacher with `alpha=1`: your loss at several T, and the same without T² (yours divided by it). **Predict**: at T = 8, how many times apart are the two lines?
"""

# %% tags=["experiment"]
if ready("distillation_loss"):
    words = chart_words(LANG)
    logits = np.array([6.0, 4.0, 1.0, -2.0])
    rng = np.random.default_rng(0)
    mine, its = rng.normal(size=(2, 64, 5)).astype("float32")
    right_ones = ops.zeros((64,), dtype="int32")
    temperatures = (1, 2, 4, 8, 16)
    with chart(2, width=4.4) as (left, right):
        for n, t in enumerate((1, 2, 4, 8)):
            soft = np.asarray(ops.softmax(logits / t))
            left.bar(np.arange(4) + 0.2 * n - 0.3, soft, 0.2, color=COLOURS[n], label=f"T = {t}")
        left.set_xticks(range(4), [f"{one:g}" for one in logits])
        left.set_xlabel("logit")
        left.set_ylabel(words("概率", "probability"))
        left.legend(fontsize=8)
        losses = np.array(
            [float(distillation_loss(mine, its, right_ones, float(t), 1.0)) for t in temperatures]
        )
        squares = np.array(temperatures) ** 2
        right.plot(temperatures, losses, MARKERS[0] + "-", color=COLOURS[0], label="T² KL")
        right.plot(temperatures, losses / squares, MARKERS[1] + "--", color=COLOURS[1], label="KL")
        right.set_xscale("log", base=2)
        right.set_yscale("log")
        right.set_xlabel("T")
        right.legend(fontsize=8)
    for t, loss in zip(temperatures, losses):
        print(f"T = {t:2}   KL {loss / t**2:.4f}   T² KL {loss:.4f}")

# %% [markdown] lang="zh"
r"""
乘了 T² 的几乎是平的，所以换一个 T，不用重新调 $\alpha$；没有乘的一路往下掉。
"""

# %% [markdown] lang="en"
r"""
With T² the line is almost level, so that another T needs no other $\alpha$; without it, it falls and falls.
"""

# %% [markdown] lang="zh"
r"""
### 哪一层跟哪一层学

学生除了学老师最后说什么，还可以一层一层地学它的状态（TinyBERT，Jiao 等人 2020）。学生 M 层，老师 L 层，M ≤ L，要定好谁跟谁：均匀地铺开，嵌入（0 号）对嵌入，最后一层对最后一层。

写 `layer_mapping(student_layers, teacher_layers)`：

- `student_layers`：整数 M；`teacher_layers`：整数 L。
- **返回** M + 1 个整数的列表：第 m 个（m 从 0 到 M）是学生的第 m 层跟着学的那一层，m·L / M **向下**取整。
- 全用整数算：浮点的 m * (L / M) 会差一点点，向下一取就差一层（11 层跟 15 层学，最后一层会成了 14）。
- M 小于 1，或者大于 L，抛出 `ValueError`。

4 层跟 12 层学是 [0, 3, 6, 9, 12]。
"""

# %% [markdown] lang="en"
r"""
### Which layer learns from which

Besides what the teacher says in the end, a student may learn its states layer by layer (TinyBERT, Jiao et al., 2020). The student has M layers, the teacher L, and M ≤ L. Who learns from whom? Evenly spread, embeddings (number 0) from embeddings, and the last layer from the last.

Write `layer_mapping(student_layers, teacher_layers)`:

- `student_layers`: int M; `teacher_layers`: int L.
- **Returns** a list of M + 1 ints: entry m, from 0 to M, is the layer that the student's layer m learns from, m·L / M rounded **down**.
- Use whole numbers throughout: m * (L / M) in floating point is off by a hair, and rounded down by a layer (of 15 layers, the last of 11 would learn from 14).
- If M is below 1 or above L, `ValueError` is raised.

Four layers learn from twelve as [0, 3, 6, 9, 12].
"""

# %% exercise="layer_mapping"
from bert_keras.compression.distill import layer_mapping

# %% check="layer_mapping"
check("layer_mapping", layer_mapping)

# %% tags=["experiment"]
if ready("layer_mapping"):
    for pair in ((2, 6), (3, 6), (4, 6), (4, 12), (5, 12)):
        print(f"{pair[0]} ← {pair[1]:2}  {layer_mapping(*pair)}")

# %% [markdown] lang="zh"
r"""
**用一用：没有标签，也能学。** 数据是程序造的命令（6a 里的）：十种意图，句子不长；留 250 句测试，大约一千句训练（测试的句子训练时没见过，句式见过，所以是容易的题）。老师是两层、宽 64 的小 BERT，看过全部标签；学生只有一层、宽 32，参数是它的六分之一。学生练四次，步数、初值都一样，差的只是听谁的：

1. 只有 10 句带标签；
2. 还是这 10 句，加上老师的话（T = 2，$\alpha$ = 0.5）；
3. 全部句子，**一个标签也不看**，只听老师的（$\alpha$ = 1）；
4. 全部句子，都有标签，没有老师。

损失用的是你的 `distillation_loss`（二三十秒）。**先猜**：四个学生怎么排？第 3 个能不能赶上第 4 个？
"""

# %% [markdown] lang="en"
r"""
**Use it: to learn without labels.** The data are commands made by a program (from 6a): ten intents, short sentences; 250 are kept for the test, and about a thousand are left for training (training hasn't seen the test's sentences, but their forms it has, so it is an easy task). The teacher is a small BERT of two layers and width 64 that has seen all labels. The student has one layer of width 32, a sixth of the parameters. It is trained four times with the same steps and the same beginning; what differs is who tells it what:

1. 10 sentences with labels, nothing else;
2. the same 10, and the teacher as well (T = 2, $\alpha$ = 0.5);
3. all sentences and **not a single label**, only the teacher ($\alpha$ = 1);
4. all sentences with labels and no teacher.

The loss is your `distillation_loss` (twenty to thirty seconds). **Predict**: in which order will they be? Can number 3 catch up with number 4?
"""

# %% tags=["experiment"]
from bert_keras.models.bert import BertBackbone
from bert_keras.models.tasks import TextClassifier
from bert_keras.text.corpora import generated_commands
from bert_keras.text.vocabulary import SPECIAL_TOKENS, Vocabulary


class Learner(keras.Model):
    """A classifier that learns by your `distillation_loss`."""

    def __init__(self, classifier, temperature, alpha):
        super().__init__()
        self.classifier, self.temperature, self.alpha = classifier, temperature, alpha

    def call(self, inputs, training=None):
        return self.classifier(inputs, training=training)

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return distillation_loss(y_pred, y["teacher"], y["labels"], self.temperature, self.alpha)


def small_classifier(layers, width):
    """A fresh one; the same sizes give the same weights."""
    keras.utils.set_random_seed(0)
    backbone = BertBackbone(
        vocabulary_size=len(spoken),
        num_layers=layers,
        num_heads=2,
        hidden_dim=width,
        intermediate_dim=4 * width,
        max_sequence_length=16,
        dropout=0.0,
        initializer_stddev=0.1,
    )
    return TextClassifier(backbone, len(INTENTS), dropout=0.0)


def trained(small, rows, teacher, temperature, alpha, steps=120):
    """Accuracy on the test after some steps on some rows of train."""
    learner = Learner(small, temperature, alpha)
    rate = keras.optimizers.schedules.PolynomialDecay(3e-3, steps)
    learner.compile(optimizer=keras.optimizers.Adam(rate), jit_compile=False)
    draw = np.random.default_rng(0)
    for _ in range(steps):
        batch = draw.choice(rows, 32)
        inputs = {name: array[batch] for name, array in said["train"].items()}
        learner.train_on_batch(inputs, {"teacher": teacher[batch], "labels": meant["train"][batch]})
    return float(np.mean(np.asarray(small(said["test"])).argmax(axis=-1) == meant["test"]))


by_student = {}
if ready("distillation_loss"):
    commands = generated_commands.load(language=LANG, size=2500)["train"]
    INTENTS = sorted({row.intent for row in commands})
    spoken = Vocabulary([*SPECIAL_TOKENS, *sorted({one for row in commands for one in row.tokens})])
    order = np.random.default_rng(0).permutation(len(commands))
    said, meant = {}, {}
    for part, numbers in (("train", order[250:]), ("test", order[:250])):
        rows = [commands[n] for n in numbers]
        ids = [(spoken.ids(row.tokens)[:14], None) for row in rows]
        said[part] = packing.pack_batch(ids, spoken, 16)
        meant[part] = np.array([INTENTS.index(row.intent) for row in rows], "int32")
    every = np.arange(len(meant["train"]))
    silent = np.zeros((len(every), len(INTENTS)), "float32")
    teacher = small_classifier(2, 64)
    by_teacher = trained(teacher, every, silent, 1.0, 0.0)
    its_logits = np.asarray(teacher(said["train"]))
    trials = {
        ("1：10 个标签", "1: 10 labels"): (every[:10], silent, 0.0),
        ("2：10 个标签 + 老师", "2: 10 labels + teacher"): (every[:10], its_logits, 0.5),
        ("3：全部句子，只听老师", "3: all, teacher only"): (every, its_logits, 1.0),
        ("4：全部标签", "4: all labels"): (every, silent, 0.0),
    }
    for name, (rows, told_logits, alpha) in trials.items():
        student = small_classifier(1, 32)
        by_student[name] = trained(student, rows, told_logits, 2.0, alpha)
    words = chart_words(LANG)
    with chart(1, width=5.4, height=2.6) as (axis,):
        axis.barh(range(len(by_student)), list(by_student.values()), color=COLOURS[0])
        axis.axvline(by_teacher, ls="--", color=COLOURS[1], label=words("老师", "teacher"))
        axis.set_yticks(range(len(by_student)), [words(*name) for name in by_student])
        axis.invert_yaxis()
        axis.set_xlim(0, 1)
        axis.set_xlabel(words("意图说对的份额", "share of intents told right"))
        axis.legend(fontsize=8)
    say(
        f"{len(every)} 句训练。老师 {teacher.count_params():,} 个参数，对 {by_teacher:.1%}；"
        f"学生 {student.count_params():,} 个",
        f"{len(every)} to train on. Teacher: {teacher.count_params():,} parameters, right "
        f"{by_teacher:.1%}; student: {student.count_params():,}",
    )
    for name, share in by_student.items():
        print(f"{share:.1%}  {text(*name)}")

# %% [markdown] lang="zh"
r"""
**听老师的，一个标签也不用，就远远超过只有 10 个标签的，朝用了全部标签的那一个靠过去了**：它缺的不是标签，是句子；老师给每一句话都写了答案。只有 10 句的，就算有老师，也只听得到老师对那 10 句的看法，所以第 2 个得到的少得多，也可能一点也没有。

这题容易，又是造出来的，一次、一个种子，所以别记具体的数，记住次序。真的数据上老师会错，学生连错也一起学；老师值几个百分点，见 8.9。
"""

# %% [markdown] lang="en"
r"""
**With a teacher and not a single label it is far above the student of 10 labels, and on its way to the one with all of them**: what it lacked was not labels but sentences, and the teacher has an answer for every one of them. With 10 sentences it hears what the teacher thinks of those 10 and no more, so number 2 gains far less, or nothing at all.

The task is easy and made up, and this is one run with one seed; so don't remember the figures, remember the order. On real data teachers err, and students learn their errors, too; how many points a teacher is worth there, see 8.9.
"""

# %% [markdown] lang="zh"
r"""
## 8.6 练习：一个核，拆成两个瘦的

前馈网络的核是 384 × 1536。把它换成 384 × r 和 r × 1536 两个瘦的，先乘一个，再乘一个：参数从 in·out 变成 r·(in + out)，乘法也一样少。r 小于 in·out / (in + out) 才划算，这里是 307。

哪两个瘦矩阵的乘积离原来最近？奇异值分解（SVD）说得清清楚楚：

$$W = U \, \text{diag}(\sigma) \, V^\top, \qquad \sigma_1 \ge \sigma_2 \ge \dots$$

留下最大的 r 个奇异值，就是误差平方和最小的（Eckart 和 Young 1936）。奇异值乘到左边、乘到右边、两边各乘一个根号，乘积都一样，哪种都算对。

写 `low_rank(kernel, rank)`：

- `kernel`：float32 或 float64 的数组，形状 (in, out)，in 和 out 谁大都行；别改动它。
- `rank`：整数 r，1 到 min(in, out)；不在这里面，抛出 `ValueError`。
- **返回** `(first, second)`：形状 (in, r) 和 (r, out) 的数组，dtype 和 `kernel` 一样；`first @ second` 是秩为 r 的最好的近似。r = min(in, out) 时乘积就是 `kernel`。
- 用 NumPy（`np.linalg.svd`；它返回的第三个已经转置过了）。
"""

# %% [markdown] lang="en"
r"""
## 8.6 Exercise: one kernel as two thin ones

A kernel of a feed-forward network is 384 × 1536. Replace it by two thin ones, 384 × r and r × 1536, and multiply with one after the other: in·out parameters become r·(in + out), and multiplications become fewer by as much. It pays if r is below in·out / (in + out), here 307.

Which two thin matrices have the product that comes closest? The singular value decomposition (SVD) has the answer:

$$W = U \, \text{diag}(\sigma) \, V^\top, \qquad \sigma_1 \ge \sigma_2 \ge \dots$$

To keep the r largest singular values gives the smallest sum of squared errors (Eckart and Young, 1936). They may be multiplied into the left matrix, into the right one, or their roots into both; the product is the same, and any of these is right.

Write `low_rank(kernel, rank)`:

- `kernel`: array of float32 or float64, of shape (in, out), where either may be the larger; don't change it.
- `rank`: int r from 1 to min(in, out); for any other, `ValueError` is raised.
- **Returns** `(first, second)`: arrays of shapes (in, r) and (r, out), of the dtype of `kernel`; `first @ second` is the best approximation of rank r. With r = min(in, out) the product is `kernel` itself.
- Use NumPy (`np.linalg.svd`; the third thing that it returns is transposed already).
"""

# %% exercise="low_rank"
from bert_keras.compression.low_rank import low_rank

# %% check="low_rank"
check("low_rank", low_rank)

# %% [markdown] lang="zh"
r"""
**看一看。** 留下 r 个奇异值，能留住平方和的几成？三条线：第 3 层前馈网络的第一个核，同一层注意力的值的核，和一个同样大小的**随机**核。**先猜**：练出来的核，比随机的好压多少？然后把 12 个前馈的核都换成秩 192 的（参数和乘法都少三分之一多），看标题分得怎样。
"""

# %% [markdown] lang="en"
r"""
**See it.** With r singular values, how much of the sum of squares is kept? Three lines: the first kernel of the third feed-forward network, the value kernel of attention in the same layer, and a **random** kernel as large as the first. **Predict**: how much better can a trained kernel be squeezed than a random one? Then all 12 feed-forward kernels get rank 192 (more than a third fewer parameters and multiplications), and the titles are sorted again.
"""

# %% tags=["experiment"]
if model is not None and ready("low_rank"):
    block = model.encoder_blocks[2]
    wide = np.asarray(block.feed_forward.intermediate_dense.kernel)
    samples = {
        ("前馈", "feed-forward"): wide,
        ("注意力的值", "attention, value"): np.asarray(block.self_attention.value_dense.kernel),
        ("随机", "random"): np.random.default_rng(0).normal(size=wide.shape).astype("float32"),
    }
    words = chart_words(LANG)
    with chart(1, width=5.0, height=3.0) as (axis,):
        for n, (name, one) in enumerate(samples.items()):
            squares = np.linalg.svd(one, compute_uv=False) ** 2
            curve = np.cumsum(squares) / squares.sum()
            axis.plot(
                np.arange(1, len(curve) + 1),
                curve,
                color=COLOURS[n],
                ls=STYLES[n],
                label=words(*name),
            )
            print(f"{text(*name)}: r = 96 {curve[95]:.1%}, r = 192 {curve[191]:.1%}")
        worth = wide.shape[0] * wide.shape[1] / sum(wide.shape)
        axis.axvline(worth, ls="--", color="grey", lw=1)
        axis.set_xlabel(
            words("秩 r（竖线：再大就不省）", "rank r (bar: above it nothing is saved)")
        )
        axis.set_ylabel(words("留住的平方和", "squares kept"))
        axis.legend(fontsize=8)
    thick = [one for one in kernels_of(model) if "feed_forward" in one.path]
    rank = 192
    for variable in thick:
        first, second = low_rank(np.asarray(variable), rank)
        variable.assign(first @ second)
    told(text(f"前馈的秩 {rank}", f"rank {rank}"), judged(model))
    model.set_weights(whole)

# %% [markdown] lang="zh"
r"""
练出来的核是比随机的好压，可没有好多少：留下一半的奇异值（r = 192），前馈的核留住平方和的八成多，随机的七成。BERT 没有多少方向是白长的，奇异值一路慢慢往下，找不到一个“后面都可以不要”的地方。注意力的核好压一些，可是它方，r 要小于 192 才划算。

标题掉了几个百分点，余弦掉得更多：丢掉的那一成多平方和，每一层都丢一次。跟别的办法一样，换完要接着练。
"""

# %% [markdown] lang="en"
r"""
A trained kernel can be squeezed better than a random one, but not by much: with half of the singular values (r = 192), a feed-forward kernel keeps more than 80 % of its squares, a random one 70 %. Few of BERT's directions are idle; singular values fall slowly all the way, and there is no place after which nothing matters. Attention's kernels are easier to squeeze, but they are square, and r has to be below 192 to pay.

Titles lose a few points, and the cosine loses more: the squares that are left out are left out in each of the layers. As with the other ways, one has to train on afterwards.
"""

# %% [markdown] lang="zh"
r"""
## 8.7 加分题：所有的层，一个块

ALBERT（Lan 等人 2020）的办法：十二层用**同一个块**，一份参数，过十二遍。文件小了十一份，每一遍照样要算。

补全 `SharedEncoder(block, num_layers)`。构造函数和配置已经写好了：`self.block` 是那个块，`self.num_layers` 是过几遍。你写 `build(x_shape)` 和 `call(x, attention_mask=None)`：

- `build`：`self.block` 还没有建（`self.block.built` 是 False）就建它，用 `self.block.build(x_shape)`；建过的别再建，否则参数就有两份。
- `call`：每一遍都是 `self.block(x, attention_mask=attention_mask)`，返回一对 (新的 x, 注意力权重)；权重不要。掩码**每一遍**都要给。
- `x`：(B, T, D) 的浮点张量；`attention_mask`：(B, T, T) 或 (B, 1, T) 的 bool 张量，True = 可以看，也可以是 None。
- **返回** `num_layers` + 1 个 (B, T, D) 张量的列表，第一个是输入 `x` 本身，最后一个是最后一遍的输出。
- 别复制这个块，也别新建别的层：不管过几遍，参数只有一份。
"""

# %% [markdown] lang="en"
r"""
## 8.7 Stretch exercise: one block for all layers

What ALBERT does (Lan et al., 2020): all twelve layers are **the same block**, one set of weights, passed twelve times. The file loses eleven of twelve parts; each pass has to be computed as before.

Complete `SharedEncoder(block, num_layers)`. Constructor and config are there: `self.block` is the block, `self.num_layers` says how often it is passed. You write `build(x_shape)` and `call(x, attention_mask=None)`:

- `build`: if `self.block` isn't built yet (`self.block.built` is False), build it with `self.block.build(x_shape)`; don't build it again if it is, or it has its weights twice.
- `call`: each pass is `self.block(x, attention_mask=attention_mask)`, which returns a pair (new x, attention weights); the weights aren't needed. **Each** pass gets the mask.
- `x`: float tensor of shape (B, T, D); `attention_mask`: bool tensor of shape (B, T, T) or (B, 1, T), True = may attend, or None.
- **Returns** a list of `num_layers` + 1 tensors of shape (B, T, D), the first of them the input `x` itself, the last one the output of the last pass.
- Don't copy the block or make other layers: however many passes there are, there is one set of weights.
"""

# %% exercise="share_layers" blank="build,call"
from bert_keras.compression.sharing import SharedEncoder

# %% check="share_layers"
check("share_layers", SharedEncoder)

# %% [markdown] lang="zh"
r"""
**看一看。** 六个各不相同的块，和一个块过六遍，各有多少参数？（快不快，8.8 一起量。）
"""

# %% [markdown] lang="en"
r"""
**See it.** Six blocks, and one block passed six times: how many parameters has each? (Whether it is faster we measure in 8.8, with all others.)
"""

# %% tags=["experiment"]
from bert_keras.layers.transformer import EncoderBlock

if ready("share_layers"):
    x = ops.convert_to_tensor(np.random.default_rng(0).normal(size=(2, 7, 64)).astype("float32"))
    shared = SharedEncoder(EncoderBlock(2, 64, 256), 6)
    states = shared(x)
    apart = [EncoderBlock(2, 64, 256) for _ in range(6)]
    for block in apart:
        block(x)
    say(
        f"六个块 {sum(one.count_params() for one in apart):,}，一个块过六遍 {shared.count_params():,}；"
        f"{len(states)} 个状态",
        f"six blocks {sum(one.count_params() for one in apart):,}, one passed six times "
        f"{shared.count_params():,}; {len(states)} states",
    )

# %% [markdown] lang="zh"
r"""
## 8.8 对答案：小了没有，快了没有

把 8.1 的表拿出来。下面是三个块，大小跟 MiniLM 的一样（宽 384），词元表只留 100 行，好把块看清楚；用库里的 `compress` 各压一次，每个都跟没压的**轮流**跑（同一台机器，同一分钟，取中位数之比），8 行 × 64 个词元。列是压缩以后占原来的几分之几：参数、不是 0 的参数、文件字节、压缩包字节（gzip）、时间。
"""

# %% [markdown] lang="en"
r"""
## 8.8 The answers: smaller? faster?

Take out the table of 8.1. Below are three blocks as large as MiniLM's (width 384), with only 100 rows in the table of tokens, so that the blocks show. The library's `compress` does each thing to them, and each result runs **by turns** with the original (one machine, one minute, ratio of medians) on 8 rows of 64 tokens. The columns say what is left, as a share of the original: parameters, those that aren't 0, bytes of the file, bytes of the packed file (gzip), and time.
"""

# %% tags=["experiment"]
from bert_keras.compression.compress import compress
from bert_keras.compression.size import batch_of, latency_ratio, size_of

keras.utils.set_random_seed(0)
original = BertBackbone(
    vocabulary_size=100,
    num_layers=3,
    num_heads=12,
    hidden_dim=384,
    intermediate_dim=1536,
    max_sequence_length=64,
    dropout=0.0,
)
batch = batch_of(100, 8, 64)
full_size = size_of(original)
options = {
    text("90 % 是 0", "90 % zeros"): {"share": 0.9},
    text("一半的头", "half of the heads"): {"heads": weakest_heads(original, 0.5)},
    "int8": {"int8": True},
    text("秩 96", "rank 96"): {"rank": 96},
    text("一层（共三层）", "one of three layers"): {"layers": 1},
    text("共享一个块", "one shared block"): {"shared": True},
}
measured = {}
print(" " * 18, *(f"{name:>11}" for name in (*full_size, "time")))
for name, option in options.items():
    smaller = compress(original, **option)
    sizes = size_of(smaller)
    row = {key: sizes[key] / full_size[key] for key in sizes}
    row["time"] = latency_ratio(smaller, original, batch)
    measured[name] = row
    print(f"{name:18}", *(f"{share:11.2f}" for share in row.values()))

# %% [markdown] lang="zh"
r"""
**对一对。** 我们事先说的两行：90 % 是 0 的，参数和文件一点没少，只有压缩包小了，时间在 1 上下；共享一个块的，参数和文件只剩三分之一多，时间也在 1 上下（差百分之几是机器在抖；电脑正忙的话，抖得更厉害，再跑一遍看看）。切头、低秩、减层是**真的把矩阵变窄、变少**，参数、文件、时间一起往下走。int8 的文件是四分之一；快不快看机器：整数乘法有没有专门的指令，输入当场量化要花多少工夫。换一台电脑，这一行可能就不一样，别的几行不会差太多。

还有一件事表里看不出：这里的词元表只有 100 行。MiniLM 的词元表占一半，换成它，除了 int8，每一行的参数和文件都会离 1 近得多；时间倒差不多。
"""

# %% [markdown] lang="en"
r"""
**Compare.** The two rows that we committed ourselves to: with 90 % zeros neither parameters nor file are smaller, only the packed file is, and the time is about 1; with one shared block little more than a third of parameters and file is left, and the time is about 1 as well (a few per cent are the machine's own jitter; on a busy computer it is more: run the cell again). Cutting heads, low rank and fewer layers **do make matrices narrower or fewer**, and parameters, file and time go down together. int8 has a quarter of the file; whether it is faster depends on the machine: does it have instructions for products of whole numbers, and how much work is it to quantize inputs on the spot? On another computer that row may be different; the others won't differ by much.

One thing the table doesn't show: there are only 100 rows in this table of tokens. In MiniLM it is half of all parameters, so with MiniLM the parameters and the file would be much nearer to 1 in every row but int8's; the times would be about the same.
"""

# %% [markdown] lang="zh"
r"""
## 8.9 存好的实验

上面的 MiniLM 压缩以后没有再练过，时间用的是没有练过的小模型。下面两件是正经做的，三个种子，断言事先写下；还没有量过的，就什么也不显示。

**一、一张总表。** MiniLM 在英文影评上微调（1600 句），再一样一样地压缩；能练的接着练 40 步（0 一直保持是 0）。**先猜**：哪一行最划算？
"""

# %% [markdown] lang="en"
r"""
## 8.9 Stored experiments

Above, MiniLM wasn't trained any further after compression, and times were taken with a small untrained model. The two below do it properly, with three seeds, and claims that were written down beforehand; what hasn't been measured yet shows nothing.

**One: the whole table.** MiniLM is fine-tuned on 1600 English film reviews and then compressed in one way after the other; what can be trained is trained for 40 more steps (zeros stay zeros). **Predict**: which row is the best bargain?
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


ROWS = {
    "zeros_50": ("50 % 是 0", "50 % zeros"),
    "zeros_80": ("80 % 是 0", "80 % zeros"),
    "zeros_90": ("90 % 是 0", "90 % zeros"),
    "heads_50": ("一半的头", "half of the heads"),
    "rank": ("前馈的秩 96", "rank 96"),
    "int8": ("int8", "int8"),
    "distilled": ("蒸馏成两层", "two layers, distilled"),
    "distilled_int8": ("两层 + int8", "two layers + int8"),
    "heads_rank_int8": ("一半的头 + 秩 + int8", "heads + rank + int8"),
}
compression_table = stored("compression_table")
if compression_table:
    verdict_of(compression_table)
    table = compression_table["figures"]["table"]
    whole_accuracy = compression_table["figures"]["whole"]
    say(
        f"没有压缩的：准确率 {spread(whole_accuracy)}；下面除了准确率，都是占原来的几分之几",
        f"uncompressed: accuracy {spread(whole_accuracy)}; the rest below are shares of it",
    )
    names = {name: text(*both) for name, both in ROWS.items()}
    columns = {
        "parameters": ("参数", "parameters"),
        "bytes": ("文件", "file"),
        "gzip_bytes": ("压缩包", "packed"),
        "time": ("时间", "time"),
        "as_it_is": ("不再练", "at once"),
        "after": ("再练", "trained on"),
    }
    print(" | ".join(text(*both) for both in columns.values()))
    for name, row in table.items():
        print(" ".join(f"{row[key]['mean']:6.3f}" for key in columns), "", names[name])
    words = chart_words(LANG)
    with chart(2, width=5.0, height=3.6) as axes:
        for n, (name, row) in enumerate(table.items()):
            for axis, key in zip(axes, ("bytes", "time")):
                axis.errorbar(
                    row[key]["mean"],
                    row["after"]["mean"],
                    yerr=row["after"]["sd"],
                    marker=MARKERS[n % len(MARKERS)],
                    color=COLOURS[n % len(COLOURS)],
                    mfc="none" if n >= len(MARKERS) else None,  # combinations are hollow
                    label=words(*ROWS[name]),
                    ls="",
                )
        for axis, label in zip(axes, (words("文件", "file"), words("时间", "time"))):
            axis.axhline(whole_accuracy["mean"], ls="--", color="grey", lw=1)
            axis.set_xlim(left=0)
            axis.set_xlabel(label)
        axes[0].set_ylabel(words("准确率", "accuracy"))
        axes[1].legend(fontsize=7, loc="center left", bbox_to_anchor=(1.0, 0.5))

# %% [markdown] lang="zh"
r"""
怎么看这张图：越靠左越小、越快，越靠上越准，虚线是没有压缩的。一个点要是在左图里靠左、在右图里不靠左，它就是“小而不快”。

**二、听老师的，还是自己学。** 老师是微调过的 MiniLM，学生从它六层里的两层出发，练法三种：只看标签；加上老师的 logits；再加上隐藏状态和注意力（按 `layer_mapping` 对好）。**先猜**：老师值几个百分点？
"""

# %% [markdown] lang="en"
r"""
How to read the picture: further left is smaller or faster, higher is better, the dashed line is the uncompressed model. A point that is on the left in the left half and not in the right one is "small, but not fast".

**Two: with a teacher, or alone.** The teacher is MiniLM after fine-tuning; the student begins as two of its six layers and learns in three ways: from labels only; from the teacher's logits, too; and from its hidden states and attention as well (paired by `layer_mapping`). **Predict**: how many points is a teacher worth?
"""

# %% tags=["experiment"]
distilled_or_alone = stored("distilled_or_alone")
if distilled_or_alone:
    verdict_of(distilled_or_alone)
    titles = {
        "teacher": ("老师", "teacher"),
        "alone": ("学生，只看标签", "student, labels only"),
        "logits": ("学生，加 logits", "student, with logits"),
        "logits_and_layers": ("学生，加 logits 和各层", "student, with logits and layers"),
    }
    for name, both in titles.items():
        print(f"{spread(distilled_or_alone['figures'][name])}  {text(*both)}")

# %% [markdown] lang="zh"
r"""
**压你自己的检查点。** 一条命令；写出来的还是检查点，可以接着微调：

```sh
bert-keras compress build/bert build/bert_half --heads 0.5 --time
bert-keras compress build/bert build/bert_int8 --int8 --time
```
"""

# %% [markdown] lang="en"
r"""
**Compress a checkpoint of yours.** One command; what it writes is a checkpoint again and can be fine-tuned:

```sh
bert-keras compress build/bert build/bert_half --heads 0.5 --time
bert-keras compress build/bert build/bert_int8 --int8 --time
```
"""

# %% [markdown] lang="zh"
r"""
## 8.10 找错练习

下面的 `patient` 是一个压缩过的全连接层：先剪枝，再用 int8 的整数乘（Keras 的 int8 层就是这样算的：参数事先量化，输入一行一行当场量化）。它跑得起来，数也像模像样，可是有**一个**毛病。别的班可能是别的毛病。

`patient(x, kernel, bias, share)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `x` | (B, in) | float32 数组，输入 |
| `kernel` | (in, out) | float32 数组 |
| `bias` | (out,) | float32 数组 |
| `share` | | 0 到 1 的数，要改成 0 的份额 |

1. `kernel` 里绝对值最小的 `round(share * n)` 个改成 0（n 是核里一共几个数；一样大，按行读在前面的先改）。
2. `kernel` 量化成 int8，**每个输出列**一个尺度；`x` 量化成 int8，**每行**一个尺度。都是对称的：尺度 = 最大绝对值 / 127，全是 0 的尺度是 1，取最近的整数（一半取偶数）。
3. 两个整数矩阵相乘，和用 int32 装。
4. 乘上这一行的尺度和这一列的尺度，再加 `bias`（没有量化过）。**返回** (B, out) 的 float32 数组。

怎么找：

1. 先别盯着代码看，做实验：`share=0` 时它应当跟 `x @ kernel + bias` 差不多；试试一行特别大、一列特别大、in 很长、全是负数、`bias` 很大。
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `signed_ranking` | 剪枝时按正负排，不是按绝对值 |
| `one_scale_for_the_kernel` | 整个核共用一个尺度，不是每个输出列一个 |
| `one_scale_for_the_batch` | 输入所有的行共用一个尺度 |
| `divided_by_128` | 尺度是最大绝对值 / 128，不是 / 127 |
| `truncated` | 小数部分直接扔掉，没有四舍五入 |
| `sum_in_int16` | 乘积的和用 int16 装，装不下就绕回去 |
| `row_scale_forgotten` | 最后忘了乘行的尺度 |
| `bias_scaled` | 偏置也跟着乘了尺度 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 8.10 Debugging drill

`patient` below is a compressed dense layer: first it is pruned, then it multiplies whole numbers of int8 (Keras's int8 layers work like this: weights are quantized beforehand, inputs on the spot, row by row). It runs, and its numbers look plausible, but it has **one** fault. Other classes may get other faults.

`patient(x, kernel, bias, share)`:

| Argument | Shape | Notes |
|---|---|---|
| `x` | (B, in) | float32 array, the inputs |
| `kernel` | (in, out) | float32 array |
| `bias` | (out,) | float32 array |
| `share` | | number from 0 to 1, the share that becomes 0 |

1. In `kernel` the `round(share * n)` numbers of the smallest absolute value become 0 (n is how many numbers the kernel has; of equal sizes the earlier one, row by row, goes first).
2. `kernel` is quantized to int8 with a scale for **each output column**, `x` with a scale for **each row**. Both are symmetric: scale = largest absolute value / 127, 1 where all is 0, rounded to the nearest whole number (a half to the even one).
3. The two matrices of whole numbers are multiplied; sums are kept in int32.
4. The result is multiplied with the row's scale and with the column's scale, and `bias` is added (it isn't quantized). **Returns** a float32 array of shape (B, out).

How to find it:

1. Don't stare at the code first; experiment: with `share=0` it should come close to `x @ kernel + bias`; try one very large row, one very large column, a long in, negative numbers only, a large `bias`.
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `signed_ranking` | pruning ranks with signs and not by absolute values |
| `one_scale_for_the_kernel` | there is one scale for all of the kernel and not one for each output column |
| `one_scale_for_the_batch` | all rows of the input have one scale |
| `divided_by_128` | a scale is the largest absolute value / 128 and not / 127 |
| `truncated` | fractions are cut off and not rounded |
| `sum_in_int16` | sums of products are kept in int16, and wrap round when they don't fit |
| `row_scale_forgotten` | in the end the row's scale is left out |
| `bias_scaled` | the bias is multiplied with the scales, too |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch08_compression"
from drill import patient, suspect, repaired

# %% check="drill_ch08_compression"
check("drill_ch08_compression", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 8.11 同样的东西，在 Keras 里

Keras 3 的层自己就会：`layer.quantize("int8")`，核换成 int8，多一个 `kernel_scale`。KerasHub 的 `BertBackbone` 也是这么用（`backbone.quantize("int8")`）。拿一个全连接层，跟你的 `quantize_int8(kernel, axis=1)` 摆在一起：

- 整数应当一样；Keras 先给最大值加一个极小的数（$10^{-7}$，免得除以 0），所以正好在一半附近的数可能差 1，全是 0 的列尺度不是 1 而是很大的一个数（反正 0 乘什么都是 0）；
- `kernel_scale` 是**倒数**：127 / 最大值，用的时候除；形状是 (out,)，少一个轴；
- 算的时候，输入也当场按行量化成 int8，所以输出的误差有两份：核的一份，输入的一份。
"""

# %% [markdown] lang="en"
r"""
## 8.11 The same thing in Keras

Layers of Keras 3 can do it themselves: `layer.quantize("int8")` makes the kernel int8 and adds a `kernel_scale`; KerasHub's `BertBackbone` is quantized by the same call, `backbone.quantize("int8")`. Put a dense layer beside your `quantize_int8(kernel, axis=1)`:

- The whole numbers should be the same. Keras adds something tiny to the maximum ($10^{-7}$, so as not to divide by 0); so numbers right at a half may differ by 1, and a column of zeros has not a scale of 1 but a very large one (0 times anything is 0 all the same).
- `kernel_scale` is the **reciprocal**, 127 / maximum, by which one divides; its shape is (out,), an axis less.
- When it runs, the input is quantized on the spot as well, row by row; so the output has two errors, one from the kernel and one from the input.
"""

# %% tags=["experiment"]
if ready("quantize_int8", "dequantize"):
    keras.utils.set_random_seed(0)
    dense = keras.layers.Dense(48, use_bias=False)
    x = np.random.default_rng(0).normal(size=(64, 96)).astype("float32")
    exact = np.asarray(dense(x))
    kernel = np.asarray(dense.kernel)
    q, scale = quantize_int8(kernel, 1)
    dense.quantize("int8")
    its_q = {one.path.split("/")[-1]: np.asarray(one) for one in dense.variables}
    its_scale = its_q.pop("kernel_scale")
    its_q = next(one for one in its_q.values() if one.dtype == np.int8)
    same = np.mean(its_q == q)
    say(
        f"整数相同的 {same:.2%}；尺度的倒数最多差 {np.abs(its_scale * scale[0] - 1).max():.0e}（相对）",
        f"whole numbers that agree: {same:.2%}; the reciprocal of the scale differs by "
        f"{np.abs(its_scale * scale[0] - 1).max():.0e} at most (relative)",
    )
    mine = x @ dequantize(q, scale)
    for name, found in (
        (text("你的（输入不量化）", "yours (input not quantized)"), mine),
        (text("Keras 的 int8 层", "Keras's int8 layer"), np.asarray(dense(x))),
    ):
        error = np.sqrt(np.mean((found - exact) ** 2) / np.mean(exact**2))
        say(f"{name}：输出的误差 {error:.2%}", f"{name}: error of the output {error:.2%}")

# %% [markdown] lang="zh"
r"""
## 8.12 常见误解

先逐句判断，再看数字。

1. 量化就是把 double 变成 int32。
2. 90 % 的参数是 0，就快十倍。
3. 所有的层共用一份参数，就快了。
4. 关掉一半的头，模型就小了一半。
5. 蒸馏也要标签：老师说的，都是从标签里来的。
"""

# %% [markdown] lang="en"
r"""
## 8.12 Myth box

Judge each sentence first, then look at the numbers.

1. Quantization means double to int32.
2. With 90 % zeros a model is ten times faster.
3. When all layers share their weights, the model is faster.
4. Without half of its heads the model is half as large.
5. Distillation needs labels, too: all that a teacher knows comes from labels.
"""

# %% tags=["experiment"]
if model is not None:
    kinds = {str(one.dtype) for one in model.variables}
    say(f"1. MiniLM 的参数是 {', '.join(kinds)}", f"1. MiniLM's weights are {', '.join(kinds)}")
for name in ("float64", "float32", "int32", "int8"):
    say(
        f"1. {name}：每个数 {np.dtype(name).itemsize} 字节",
        f"1. {name}: {np.dtype(name).itemsize} bytes each",
    )
row = measured[text("90 % 是 0", "90 % zeros")]
say(
    f"2. 90 % 是 0：文件 {row['bytes']:.2f}，压缩包 {row['gzip_bytes']:.2f}，时间 {row['time']:.2f}",
    f"2. 90 % zeros: file {row['bytes']:.2f}, packed {row['gzip_bytes']:.2f}, "
    f"time {row['time']:.2f}",
)
sharing = measured[text("共享一个块", "one shared block")]
halved = measured[text("一半的头", "half of the heads")]
say(
    f"3. 三层共享：参数 {sharing['parameters']:.2f}，时间 {sharing['time']:.2f}",
    f"3. three layers shared: parameters {sharing['parameters']:.2f}, time {sharing['time']:.2f}",
)
say(
    f"4. 切掉一半的头：块的参数 {halved['parameters']:.2f}；只是乘 0：1.00",
    f"4. half of the heads cut out: parameters {halved['parameters']:.2f}; times 0 only: 1.00",
)
for name, share in by_student.items():
    print(f"5. {share:.1%}  {text(*name)}")

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **两头都错。** 原来是 float32，量化以后是 int8：四个字节变一个。变成 int32 一点不省。
2. **错。** 看上面的时间。稠密的矩阵乘法不认识 0，照样乘；连文件也不小，因为 0 也占四个字节，打了包才小。要让 0 变快，得有专门的稀疏格式和专门的硬件，或者把 0 凑成整行整列，切掉，那就是 8.3。
3. **错。** 参数只剩一份，可是数据过了几遍还是几遍。ALBERT 的论文也把两件事分开说。
4. **错。** 乘 0 的，一个参数没少。真切掉，少的也只是注意力的一半；前馈网络和词元表没有动。
5. **错。** 老师确实是用标签练的；可是学生学的时候，只要有句子就行，标签一个不看。上面第 3 个学生就是这样。没有标注的句子比标签便宜得多，这正是蒸馏最值钱的地方。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **Wrong at both ends.** It is float32 before and int8 afterwards: four bytes become one. int32 would save nothing.
2. **Wrong.** See the time above. A dense matrix product doesn't know zeros, it multiplies them; not even the file is smaller, for a zero has four bytes like any other number, and only packing helps. For zeros to be fast you need sparse formats and hardware made for them; or whole rows and columns of zeros, to be cut out, which is 8.3.
3. **Wrong.** There is one set of weights, but it is passed as often as before. ALBERT's authors keep the two things apart, too.
4. **Wrong.** Times 0 saves no parameter at all. Cut out, they are half of attention only; feed-forward networks and the table of tokens are as they were.
5. **Wrong.** The teacher has learnt from labels, it is true; but the student needs sentences and nothing else, as number 3 above has shown. Sentences without labels are far cheaper than labels, and that is what makes distillation worth so much.
"""

# %% [markdown] lang="zh" exercise="written_ch08_compression"
r"""
## 8.13 简答题

一家公司要把一个微调好的 BERT-base 放进没有显卡的旧服务器，现在每句 300 毫秒，要降到 100 毫秒以内，准确率最多掉 2 个百分点；手里有 500 句带标签的和十万句没有标签的。同事提议：“把 90 % 的参数改成 0，再让十二层共用一份参数，最后转成 int32，三样都做，肯定够快。”

用 150 字左右回答：三样里哪些不会快，为什么？引用本章的两个数字（至少一个是你**自己跑出来的**）；给出你的做法（至少两步，说清次序），以及上线之前量什么、怎么量才公平。

这道题由老师评阅，不计入 50 分。好的回答里有两个数字（各说明什么）、三样各错在哪里、一个用得上那十万句话的做法，和一条公平的量法。
"""

# %% [markdown] lang="en" exercise="written_ch08_compression"
r"""
## 8.13 Written question

A company wants to run a fine-tuned BERT-base on an old server without a graphics card. It takes 300 ms a sentence; it should take less than 100, and may lose 2 points of accuracy. There are 500 sentences with labels, and a hundred thousand without. A colleague suggests: "Set 90 % of the weights to 0, let all twelve layers share their weights, and convert it to int32. All three together must be fast enough."

Answer in about 100 words: which of the three won't make it faster, and why? Quote two numbers of this notebook (at least one that **you ran yourself**); say what you would do (two steps at least, and in which order), and what you would measure before it goes live, and how, so that it is fair.

Your teacher reads this one; it is not part of the 50 points. A good answer has two numbers (and what each of them shows), what is wrong with each of the three, a way that makes use of the hundred thousand sentences, and a fair way to measure.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 三样都说对：0 照样乘，共享照样过十二遍，int32 和 float32 一样是四个字节；引用两个数字（如 8.8 里的时间之比）。
2. 做法合理，次序对：先微调好老师，用没有标签的句子蒸馏出层数少的学生（大约四层以下才到三分之一），最后 int8（int8 之后不能再练）；剪头、低秩也可以，说清省多少。
3. 量法公平：同一台机器上轮流跑、取中位数，真实的句子长度和批大小；准确率在留出的数据上，几个种子，标准事先说好。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Is right about all three: zeros are multiplied all the same, shared weights are passed twelve times, int32 has four bytes like float32; quotes two numbers (such as ratios of time in 8.8).
2. A sensible way in the right order: fine-tune the teacher first, distil a student of fewer layers on the sentences without labels (it takes about four layers or fewer for a third of the time), int8 last, since it can't be trained any more; cutting heads or low rank will do, too, if it says what they save.
3. A fair measurement: by turns on one machine, medians, real lengths and batch sizes; accuracy on held-out data over several seeds, with a criterion fixed beforehand.
"""

# %% [markdown] lang="zh"
r"""
## 8.14 小结：半页带走

| 方法 | 改的是什么 | 参数 | 文件 | CPU 上的时间 | 还能接着练吗 |
|---|---|---|---|---|---|
| 改成 0 | 核里的数 | 不变 | 打了包才小 | **不变** | 能，每一步之后把 0 放回去 |
| 切头 | 列和行 | 少 | 小 | 快 | 能 |
| int8 | 每个数的字节 | 不变 | 四分之一 | 看机器 | 不能，放在最后 |
| 低秩 | 一个核变两个 | r 小才少 | 小 | 快 | 能 |
| 共享 | 所有的层一个块 | 少 | 小 | **不变** | 要从头练 |
| 蒸馏 | 换一个小的 | 少 | 小 | 快 | 它就是练 |

**三条公式。** $x \approx q s$，$s = \max |x| / 127$，误差 ≤ s/2。$\alpha T^2 \, \text{KL}(p \,\|\, q) + (1 - \alpha) \, \text{CE}$。低秩划算：r < in·out / (in + out)。

**三条规矩。** 先说好谁不会快，再量；轮流量，取中位数；“小”要说明是哪一种小。
"""

# %% [markdown] lang="en"
r"""
## 8.14 Half a page to take with you

| Way | What it changes | Parameters | File | Time on a CPU | Can be trained on? |
|---|---|---|---|---|---|
| zeros | numbers in kernels | the same | smaller if packed | **the same** | yes; put the zeros back after every step |
| cutting heads | columns and rows | fewer | smaller | faster | yes |
| int8 | bytes of each number | the same | a quarter | depends on the machine | no, do it last |
| low rank | one kernel becomes two | fewer if r is small | smaller | faster | yes |
| sharing | one block for all layers | fewer | smaller | **the same** | it has to be trained anew |
| distillation | another, smaller model | fewer | smaller | faster | it is training |

**Three formulas.** $x \approx q s$ with $s = \max |x| / 127$, off by s/2 at most. $\alpha T^2 \, \text{KL}(p \,\|\, q) + (1 - \alpha) \, \text{CE}$. Low rank pays if r < in·out / (in + out).

**Three rules.** Say beforehand what can't be faster, then measure; by turns, with medians; and when you say "small", say which kind of small.
"""

# %% [markdown] lang="zh"
r"""
## 8.15 接下来

这是最后一章。从一个固定大小的向量（1a）开始，到注意力、Transformer、ELMo、GPT、BERT，用它做事，看它里面，查它的错，最后把它变小：每一块都是你写的。

接下来可以：

- 拿你自己的数据，走一遍全程：`bert-keras pretrain`、`bert-keras finetune`、`bert-keras analyze`、`bert-keras compress`。
- 读原文：蒸馏 [Hinton 等人 2015](https://arxiv.org/abs/1503.02531)、[DistilBERT](https://arxiv.org/abs/1910.01108)、[TinyBERT](https://arxiv.org/abs/1909.10351)；剪枝 [Han 等人 2015](https://arxiv.org/abs/1506.02626)、[Michel 等人 2019](https://arxiv.org/abs/1905.10650)；int8 [Jacob 等人 2018](https://arxiv.org/abs/1712.05877)；共享 [ALBERT](https://arxiv.org/abs/1909.11942)。
- 回到任何一章，把“先猜”那几处当时写下的数，跟跑出来的再对一遍。
"""

# %% [markdown] lang="en"
r"""
## 8.15 Where next

This is the last notebook. From one vector of a fixed size (1a) the way went on to attention, the Transformer, ELMo, GPT and BERT; you have put it to work, looked inside, searched for its faults, and made it small. Every piece of it you have written.

What you can do now:

- Go all the way with data of your own: `bert-keras pretrain`, `bert-keras finetune`, `bert-keras analyze`, `bert-keras compress`.
- Read the sources: distillation in [Hinton et al. 2015](https://arxiv.org/abs/1503.02531), [DistilBERT](https://arxiv.org/abs/1910.01108) and [TinyBERT](https://arxiv.org/abs/1909.10351); pruning in [Han et al. 2015](https://arxiv.org/abs/1506.02626) and [Michel et al. 2019](https://arxiv.org/abs/1905.10650); int8 in [Jacob et al. 2018](https://arxiv.org/abs/1712.05877); sharing in [ALBERT](https://arxiv.org/abs/1909.11942).
- Go back to any notebook, and compare what you predicted there with what came out.
"""
