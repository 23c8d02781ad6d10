# %% [markdown] lang="zh"
r"""
# 7b 层与语言：向量里读得出什么

7a 看的是权重：谁看谁。这一章看**状态**：每一层、每个词元上的那个向量。它是 384 个数，没有一个写着“我是名词”或“我是地名”。想知道里面有什么，办法是训练一个很小的读者，叫**探针**（probe）：拿向量当特征，猜一个你早就知道答案的东西。猜得准，就说“这一层里读得出它”。

这个办法谁都会用，**也最容易说过头**。探针答对了，功劳算谁的：向量里本来就有，还是探针自己背下来的？没有预训练过的网络，探针能答对多少？“第 4 层懂句法”，是第 4 层才有，还是第 0 层就有、一路带上来的？所以这一章每量一个数，旁边都摆一个对照。

后半章换一个问题：好几种语言放进**同一个** BERT，会怎样？小语种的文字少，怎样抽才不会被淹没；用英文教会的本事，换成中文还在不在。

| 练习 | 满分 | 分钟 | 类型 | 约定 | 数据 |
|---|---|---|---|---|---|
| `probe_layer` | 7 | 25 | 核心 | 岭回归，闭式解；特征和目标都减去训练部分的平均 | 随机的特征 |
| `control_task` | 4 | 12 | 核心 | 同一个词总是同一类；各类机会均等；运气全由 `rng` 决定 | 随便一列词 |
| `selectivity` | 4 | 12 | 核心 | 任务的准确率 − 对照的准确率；一样高取第一类 | 随机的特征 |
| `scalar_mix_probe` | 4 | 12 | 核心 | softmax 权重；层从 0（嵌入）数起 | 随机的各层 |
| `expected_layer` | 4 | 12 | 核心 | 每层新添的分；负的照算；总共没添，`ValueError` | 手写的分数 |
| `linear_cka` | 5 | 15 | 核心 | 各列减平均；0 到 1；转动和放大都不变 | 随机的表示 |
| `smoothed_language_weights` | 3 | 10 | 核心 | $p^s$ 再归一；没有文字的语言总是 0 | 手写的数目 |
| `transfer_table` | 3 | 10 | 核心 | 行 = 学的语言，列 = 考的语言；每种语言只学一次 | 手写的模型 |
| `drill_ch07b_layers_and_languages` | 6 | 20 | 核心 | 与上面各题相同 | 一段带病的代码 |
| `written_ch07b_layers_and_languages` | 0 | 12 | 核心 | 老师评阅，不计入 40 分 | 本章的图和数字 |

九道题都是核心练习，共 40 分。只做练习两小时多一点，连同实验不到三小时；7b.6 之前是个合适的停顿处。

**怎么做题。** 每道题下面有一行 `check(...)`：运行它，马上看到得分；答错了，它会尽量说出错在哪里，提示要你自己点开，而且不会给答案。随时可以保存离开；下次回来，请从头**按顺序**运行各个单元格。**怎么交。** 填完后保存，交这一个 `.ipynb` 文件；评分用的是同样的检查，只是换一批随机数。
"""

# %% [markdown] lang="en"
r"""
# 7b Layers and languages: what can be read off a vector

7a looked at weights, at who looks at whom. This notebook looks at **states**: the vector at each token in each layer. It has 384 numbers, and none of them is labelled "I am a noun" or "I am a place". To find out what is in it, one trains a very small reader, called a **probe**: its features are the vectors, and it guesses something that you know already. Where it guesses well, people say "this layer knows it".

Everybody can do that, **and it is easy to say too much**. If the probe is right, whose merit is it: was it in the vector, or did the probe learn it by heart? How well does a probe do on a network that was never trained? "Layer 4 knows syntax": is it new in layer 4, or was it there in layer 0 and carried up? So beside every figure in this notebook stands something to compare it with.

The second half asks another question: what if several languages share **one** BERT? How should a language with little text be drawn so that it isn't drowned; and does what was taught in English still hold in Chinese?

| Exercise | Points | Minutes | Kind | Convention | Data |
|---|---|---|---|---|---|
| `probe_layer` | 7 | 25 | core | ridge regression in closed form; features and targets less their training means | random features |
| `control_task` | 4 | 12 | core | one class a word; all classes equally likely; all luck comes from `rng` | any list of words |
| `selectivity` | 4 | 12 | core | accuracy of the task − that of the control; of equals the first class | random features |
| `scalar_mix_probe` | 4 | 12 | core | weights by softmax; layers counted from 0, the embeddings | random layers |
| `expected_layer` | 4 | 12 | core | what each layer adds; losses count, too; nothing added in all: `ValueError` | scores by hand |
| `linear_cka` | 5 | 15 | core | columns less their means; from 0 to 1; turning and scaling change nothing | random representations |
| `smoothed_language_weights` | 3 | 10 | core | $p^s$, shared out anew; a language without text stays 0 | counts by hand |
| `transfer_table` | 3 | 10 | core | row = trained on, column = tested on; each language is trained on once | models by hand |
| `drill_ch07b_layers_and_languages` | 6 | 20 | core | as in the exercises above | a sick piece of code |
| `written_ch07b_layers_and_languages` | 0 | 12 | core | read by your teacher, not part of the 40 points | the pictures and numbers of this notebook |

All nine exercises are core, 40 points in all. They take a little over two hours, with the experiments less than three; just before 7b.6 is a good place to pause.

**How to work.** Under every exercise stands a line `check(...)`: run it and see your points at once; when something is wrong it says what went wrong wherever it can tell, and keeps its hints folded until you open them; it never gives the answer. You can save and leave at any point; when you come back, run the cells from the top **in order**. **How to hand in.** Fill in what you can, save, and submit this one `.ipynb` file; grading runs the same checks on other random numbers.
"""

# %%
import bert_keras.quiet  # loads Keras without TensorFlow's start-up chatter
import keras
import numpy as np

from autograder import check, language, ready, stored
from bert_keras.analysis.plots import COLOURS, MARKERS, chart, chart_words

LANG = language()


def text(zh, en):
    return zh if LANG == "zh" else en


def say(zh, en):
    print(text(zh, en))


# %% [markdown] lang="zh"
r"""
## 7b.1 同一个词，六层之后

第 0 层是嵌入：一个词元查一张表，再加上位置和片段。所以同一个词，不管在哪句话里，第 0 层的向量几乎一样。到了第 6 层，它已经六次从别的词那里取过东西。

用 MiniLM（5c、7a 里见过：英文，六层，384 维；第一次用时取一次，80 MB，取不到就跳过，不影响得分）看一个老例子：bank，四句是银行，四句是河岸。每一层取出八个 bank 的向量，算余弦：同义的两两平均，异义的两两平均，再相减。

**先猜**：第 0 层的差是多少？是越往上越大吗？
"""

# %% [markdown] lang="en"
r"""
## 7b.1 The same word, six layers later

Layer 0 are the embeddings: a token looked up in a table, with position and segment added. So whatever the sentence, a word's vector in layer 0 is nearly the same. In layer 6 it has fetched something from other words six times.

Take MiniLM, which you met in 5c and 7a (English, six layers, 384 dimensions; fetched when first used, 80 MB; if it can't be had, the cells are skipped and no points are lost), and an old example: "bank", four times with money and four times with a river. In each layer take the eight vectors of "bank" and their cosines: the mean over pairs of one sense, less the mean over pairs of different senses.

**Predict**: how large is the difference in layer 0? Does it grow all the way up?
"""

# %% tags=["experiment"]
import tempfile

from bert_keras.checkpoints import build_backbone, minilm
from bert_keras.text import packing
from bert_keras.text.corpora.archives import CorpusError
from bert_keras.text.wordpiece import WordPieceTokenizer

model = None
try:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = minilm.load(folder)
except CorpusError as problem:
    say(f"取不到 MiniLM，跳过：{problem}", f"MiniLM can't be had: {problem}")
else:
    model = build_backbone(checkpoint, dropout=0.0)
    tokenizer = WordPieceTokenizer(checkpoint.vocabulary, checkpoint.lowercase)


def states_of(backbone, inputs, rows=100):
    """What every layer makes of every token, (L + 1, B, T, D)."""
    parts = []
    for start in range(0, len(inputs["token_ids"]), rows):
        some = {name: array[start : start + rows] for name, array in inputs.items()}
        layers = backbone.all_states(some)["hidden_states"]
        parts.append(np.stack([np.asarray(one, "float32") for one in layers]))
    return np.concatenate(parts, axis=1)


SENSES = {
    "money": [
        "She opened an account at the bank.",
        "The bank raised its interest rates.",
        "He borrowed money from the bank.",
        "The bank was robbed last night.",
    ],
    "river": [
        "They sat on the bank of the river.",
        "The boat drifted to the bank.",
        "Trees grow along the bank of the stream.",
        "The muddy bank was slippery after rain.",
    ],
}
if model is not None:
    rows = [(tokenizer.encode(one), None) for some in SENSES.values() for one in some]
    packed = packing.pack_batch(rows, checkpoint.vocabulary, 14)
    (bank,) = checkpoint.vocabulary.ids(["bank"])
    vectors = states_of(model, packed)[:, packed["token_ids"] == bank]  # (L + 1, 8, D)
    sense = np.repeat([0, 1], 4)
    same = (sense[:, None] == sense) & ~np.eye(8, dtype=bool)
    other = sense[:, None] != sense
    for layer, some in enumerate(vectors):
        some = some / np.linalg.norm(some, axis=1, keepdims=True)
        cosines = some @ some.T
        inside, between = cosines[same].mean(), cosines[other].mean()
        say(
            f"第 {layer} 层：同义 {inside:.2f}，异义 {between:.2f}，差 {inside - between:+.2f}",
            f"layer {layer}: same sense {inside:.2f}, different {between:.2f}, "
            f"difference {inside - between:+.2f}",
        )

# %% [markdown] lang="zh"
r"""
上面的层把两种意思分开了。这是八句话、一个词、一种量法。要问“哪一层知道什么”，得有很多例子、有标准答案，还要有一个说得清的读法。这就是探针。
"""

# %% [markdown] lang="en"
r"""
Upper layers tell the two senses apart. But those are eight sentences, one word, and one way to measure. To ask which layer knows what, we need many examples, right answers, and a way of reading that is easy to state: a probe.
"""

# %% [markdown] lang="zh"
r"""
## 7b.2 练习：一个读得懂、背不下的读者

探针越简单越好：它要是自己很会学，读出来的就不知道是谁的本事了。这里用**线性**的，而且不用一步一步训练：最小二乘有闭式解，没有种子，没有学习率，谁来算都是同一个数。

n 个例子，特征 X 是 (n, D)，类别写成独热的 Y，(n, C)。找一个 W，(D, C)，让 XW 尽量靠近 Y，同时不许太大：

$$W = \arg\min_W \lVert X W - Y \rVert^2 + \lambda \lVert W \rVert^2 = (X^\top X + \lambda I)^{-1} X^\top Y$$

$\lambda$ 叫岭（ridge），它大，W 就小。没有它，D 比 n 大的时候 $X^\top X$ 根本不可逆；有了它，总有唯一的解。

还差一个常数项：某一类本来就占七成，W 全是 0 也该猜它。可是常数项不该受罚。办法是**先把平均减掉**：X 每列减去训练部分的平均 $\bar{x}$，Y 每列减去训练部分的平均 $\bar{y}$，解出 W，打分时再加回来：

$$\text{scores} = (X_{\text{test}} - \bar{x}) W + \bar{y}$$

注意 $\bar{x}$ 总是**训练部分**的：考试的题目长什么样，学的时候不该知道。

写 `probe_layer(features, labels, test_features, num_classes, ridge=1.0)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `features` | (n, D) | 浮点数组，用来学的例子；D 可以比 n 大 |
| `labels` | (n,) | 整数数组，它们的类别，0 到 C − 1；有的类可以一个例子也没有 |
| `test_features` | (M, D) | 浮点数组，要打分的例子 |
| `num_classes` | | 整数，C |
| `ridge` | | 大于 0 的数，$\lambda$ |

- 上面的 $\lVert X W - Y \rVert^2$ 是所有例子之**和**，不除以 n。
- **返回** (M, C) 的浮点数组，每一类的分数。只要分数，不要类别，也不做 softmax。
- `labels` 里有小于 0 或不小于 C 的，抛出 `ValueError`。
- 用 NumPy，在 float64 里算；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
## 7b.2 Exercise: a reader that can't learn by heart

The simpler a probe, the better: were it good at learning, nobody could tell whose merit the result is. Ours is **linear**, and isn't even trained step by step: least squares has a closed form, with no seed and no learning rate, so that everybody gets the same number.

There are n examples, features X of shape (n, D), and classes written one-hot as Y, (n, C). Find W, of shape (D, C), such that XW is close to Y while W stays small:

$$W = \arg\min_W \lVert X W - Y \rVert^2 + \lambda \lVert W \rVert^2 = (X^\top X + \lambda I)^{-1} X^\top Y$$

$\lambda$ is called the ridge, and the larger it is, the smaller is W. Without it $X^\top X$ has no inverse where D is larger than n; with it there is always exactly one solution.

One thing is missing: a constant. If one class makes up 70 % of everything, it should be guessed even where W is 0 throughout, and a constant shouldn't be penalised. So **take off the means first**: from each column of X its mean $\bar{x}$ over the training part, from each column of Y its mean $\bar{y}$ over the training part; solve for W; and put them back when scoring:

$$\text{scores} = (X_{\text{test}} - \bar{x}) W + \bar{y}$$

Mind that $\bar{x}$ is always that of the **training part**: one who learns shouldn't know what the exam looks like.

Write `probe_layer(features, labels, test_features, num_classes, ridge=1.0)`:

| Argument | Shape | Notes |
|---|---|---|
| `features` | (n, D) | float array, the examples to learn from; D may be larger than n |
| `labels` | (n,) | int array, their classes, from 0 to C − 1; some classes may have no example |
| `test_features` | (M, D) | float array, the examples to score |
| `num_classes` | | int, C |
| `ridge` | | a number above 0, $\lambda$ |

- $\lVert X W - Y \rVert^2$ above is a **sum** over all examples, not divided by n.
- **Returns** a float array of shape (M, C), the score of each class. Scores only: no classes, and no softmax.
- If `labels` has anything below 0, or C or above, `ValueError` is raised.
- Use NumPy and compute in float64; don't change the arrays that you are handed.
"""

# %% exercise="probe_layer"
from bert_keras.analysis.probing import probe_layer

# %% check="probe_layer"
check("probe_layer", probe_layer)

# %% [markdown] lang="zh"
r"""
**量一量。** 语料是 6a 里的家居命令（人写的模板，程序填空；英文）：220 句用来学，80 句用来考，考的句子出自学的时候没见过的模板。例子是**词**（取它第一个词元的向量），问三样：

- **位置**：它是句子里的第几个词（1、2、3、4、5、6、7 以后，共七类）；
- **槽**：它是房间、设备、楼层、分钟……还是什么槽也不是（留下最常见的十类）；
- **意图**：它所在的**整句话**是要开灯、关灯、计时……（十类）。答案不在这个词里，要靠别的词传过来。

虚线是永远猜最常见的一类。灰线是**没有训练过**的 MiniLM：同样的结构，随机的权重。

**先猜**：哪一样在第 0 层最准？哪一样越往上越准？没训练过的网络，探针能猜对多少？
"""

# %% [markdown] lang="en"
r"""
**Measure.** The texts are the home commands of 6a (templates written by people, filled in by a program; English): 220 sentences to learn from and 80 to be judged by, from templates that learning never saw. An example is a **word** (the vector of its first token), and three things are asked:

- **position**: which word of the sentence is it (1, 2, 3, 4, 5, 6, 7 or later: seven classes)?
- **slot**: is it a room, a device, a floor, minutes, …, or no slot at all (the ten commonest classes)?
- **intent**: does the **whole sentence** want something on, off, timed, … (ten classes)? The answer isn't in this word; other words must have sent it.

The dashed line always guesses the commonest class. The grey line is MiniLM **without training**: the same architecture, random weights.

**Predict**: which of the three is best in layer 0? Which gets better on the way up? How well does the probe do on the network that was never trained?
"""

# %% tags=["experiment"]
from collections import Counter

from bert_keras.text.corpora import intents

NAMES = {
    "position": ("位置", "position"),
    "slot": ("槽", "slot"),
    "intent": ("意图", "intent"),
}
asked = {}  # name: (labels, which examples count, number of classes)
trained_states, fresh_states = None, None  # (L + 1, n, D)
if model is not None:
    parts, LENGTH = intents.load(language="en"), 20
    of_part = {
        name: [parts[name][n] for n in np.random.default_rng(0).permutation(len(parts[name]))]
        for name in ("train", "test")
    }
    common = [name for name, _ in Counter(one.intent for one in parts["train"]).most_common(10)]
    commands, learns = [], []
    for name, count in (("train", 220), ("test", 80)):
        some = [one for one in of_part[name] if one.intent in common]
        commands += some[:count]
        learns += [name == "train"] * count
    pieces = [[tokenizer.tokenize(word) for word in one.tokens] for one in commands]
    starts = [1 + np.cumsum([0] + [len(one) for one in row[:-1]]) for row in pieces]
    rows = [(checkpoint.vocabulary.ids(sum(row, []))[: LENGTH - 2], None) for row in pieces]
    spoken = packing.pack_batch(rows, checkpoint.vocabulary, LENGTH)
    at = [(row, place, n) for row, some in enumerate(starts) for n, place in enumerate(some)]
    of_row, of_place, number = np.array([one for one in at if one[1] < LENGTH - 1]).T
    words = [commands[row].tokens[n] for row, n in zip(of_row, number)]
    train = np.array(learns)[of_row]
    slots = [commands[row].slots[n].partition("-")[2] or "O" for row, n in zip(of_row, number)]
    slot_names = [name for name, _ in Counter(slots).most_common(10)]
    slot = np.array([slot_names.index(one) if one in slot_names else -1 for one in slots])
    intent = np.array([common.index(commands[row].intent) for row in of_row])
    everywhere = np.ones(len(words), bool)
    asked = {
        "position": (np.minimum(number, 6), everywhere, 7),
        "slot": (slot, slot >= 0, 10),
        "intent": (intent, everywhere, 10),
    }
    keras.utils.set_random_seed(0)
    fresh = type(model).from_config(model.get_config())
    trained_states, fresh_states = (
        states_of(one, spoken)[:, of_row, of_place] for one in (model, fresh)
    )
    LAYERS = len(trained_states) - 1
    say(
        f"{len(words)} 个词（{len(set(words))} 个不同的），{train.sum()} 个用来学；{commands[0].text}",
        f"{len(words)} words ({len(set(words))} distinct), {train.sum()} of them to learn from; "
        f"{commands[0].text}",
    )


def accuracy_of(features, labels, some, classes):
    """How often a probe guesses right on what it didn't learn from."""
    learnt, judged = some & train, some & ~train
    scores = probe_layer(features[learnt], labels[learnt], features[judged], classes)
    return float(np.mean(scores.argmax(axis=1) == labels[judged]))


by_task = {}  # name: (trained, fresh, commonest)
if asked and ready("probe_layer"):
    for name, (labels, some, classes) in asked.items():
        rows = [
            [accuracy_of(layer, labels, some, classes) for layer in states]
            for states in (trained_states, fresh_states)
        ]
        commonest = np.bincount(labels[some & train]).argmax()
        by_task[name] = (*rows, float(np.mean(labels[some & ~train] == commonest)))
    words_of_chart = chart_words(LANG)
    with chart(len(by_task), width=3.1, height=2.9) as axes:
        for axis, (name, (ours, none, bar)) in zip(axes, by_task.items()):
            axis.plot(ours, MARKERS[0] + "-", color=COLOURS[0], label="MiniLM")
            untrained = words_of_chart("没训练过", "untrained")
            axis.plot(none, MARKERS[1] + "-", color="grey", label=untrained)
            axis.axhline(bar, ls="--", color="black", lw=1)
            axis.set_title(words_of_chart(*NAMES[name]), fontsize=10)
            axis.set_ylim(0, 1.02)
            axis.set_xlabel(words_of_chart("层", "layer"))
        axes[0].set_ylabel(words_of_chart("准确率", "accuracy"))
        axes[0].legend(fontsize=8)
    for name, (ours, none, bar) in by_task.items():
        print(text(*NAMES[name]), " ".join(f"{one:.2f}" for one in ours))
        say(
            f"    没训练过 {' '.join(f'{one:.2f}' for one in none)}；最常见的一类 {bar:.2f}",
            f"    untrained {' '.join(f'{one:.2f}' for one in none)}; commonest class {bar:.2f}",
        )

# %% [markdown] lang="zh"
r"""
三样各走各的路。**位置**在第 0 层就写着（位置嵌入是直接加上去的），越往上越淡；**意图**越往上越清楚；**槽**在中间几层最准，到了顶层又退一点。

真正该吃惊的是灰线。一个随机的网络，位置几乎全对；意图也从第 0 层的不到四成，爬到了七成：离训练过的不远。它什么也没学过，怎么会“懂意图”？因为注意力哪怕是随机的，也把别的词掺了进来；“turn”“timer”的向量混在里面，一个线性的读者就能挑出来。**混在一起**不用学，随机的网络就会。所以“探针在第 6 层猜对了七成七的意图”，其中七成一，一个没上过学的网络也给得出。值得说的只有那一点差，还有槽的那一段：0.87 到 0.94，随机的网络一层也没有涨。

规矩一：**没训练过的网络，是探针的第一个对照。**
"""

# %% [markdown] lang="en"
r"""
Each goes its own way. **Position** is written in layer 0, for position embeddings are simply added there, and fades on the way up; **intent** gets clearer on the way up; **slot** is best in the layers between, and falls back a little at the top.

What should surprise you is the grey line. A random network gets nearly all positions right, and its intents climb from less than 40 % in layer 0 to 70 %, not far below the trained one. It has learnt nothing; how can it "understand intents"? Because even random attention mixes in other words, and where the vectors of "turn" and "timer" are in the mixture, a linear reader can pick them out. **Mixing** needs no learning; a random network does it. So of "a probe on layer 6 gets 77 % of the intents right", 71 % are to be had from a network that never went to school. Worth talking about is only the rest, and what happens to slots: from 0.87 to 0.94, where the random network doesn't gain in any layer.

Rule one: **the first thing to compare a probe with is a network without training.**
"""

# %% [markdown] lang="zh"
r"""
## 7b.3 练习：让探针去背毫无道理的东西

探针就算是线性的，也会**背**。384 个特征，一千多个例子：设备名一共就那么几十个，第 0 层的向量又等于是词的身份证，记住“kitchen 是房间”就得分了，用不着懂这句话。猜对的，有多少是层里有的，有多少是探针背的？

Hewitt 和 Liang（2019）的办法：出一道**只能背**的题。给每个不同的词抽签定一个类，同一个词总是同一类，没有任何道理可讲。探针在这道题上考几分，就说明它在这一层里能背多少。两道题的分数一减，叫**选择性**（selectivity）：大，说明分数来自这一层里现成的东西；小，说明换一道毫无道理的题，它一样学得会。

写 `control_task(words, num_classes, rng)`：

- `words`：n 个字符串的列表，每个例子是哪个词；同一个词可以出现很多次。
- `num_classes`：整数，C。
- `rng`：NumPy 的 `Generator`，比如 `np.random.default_rng(0)`。
- 每个**不同的**词抽一个类，C 个类机会均等，各词互不相干；同一个词不管出现在哪里，都是同一个类。
- 运气全部来自 `rng`：同样状态的 `rng`，同样的结果；别的随机数一个也不用，也别自己定种子。
- **返回** (n,) 的整数数组，0 到 C − 1。`words` 别改动。
"""

# %% [markdown] lang="en"
r"""
## 7b.3 Exercise: give the probe something senseless to learn

Even a linear probe can learn **by heart**. It has 384 features and a thousand and some examples; there are a few dozen device names, and in layer 0 a vector is as good as the word's passport. Remember "kitchen is a room", and there is the point, with no understanding of the sentence. How much of what is right was in the layer, and how much has the probe memorised?

Hewitt and Liang (2019) set another task, which can **only** be learnt by heart: every distinct word gets a class by lot, always the same one, for no reason at all. What a probe reaches there says how much it can memorise in this layer. The difference of the two scores is called **selectivity**: if it is large, the score comes from something that lies ready in the layer; if it is small, a senseless task would have been learnt as well.

Write `control_task(words, num_classes, rng)`:

- `words`: a list of n strings, the word of each example; a word may occur many times.
- `num_classes`: int, C.
- `rng`: a NumPy `Generator`, such as `np.random.default_rng(0)`.
- Every **distinct** word gets a class by lot, all C classes equally likely, each word independently; wherever a word occurs, its class is the same.
- All luck comes from `rng`: the same state of `rng`, the same result. Use no other random numbers, and no seed of your own.
- **Returns** an int array of shape (n,), from 0 to C − 1. Don't change `words`.
"""

# %% exercise="control_task"
from bert_keras.analysis.probing import control_task

# %% check="control_task"
check("control_task", control_task)

# %% [markdown] lang="zh"
r"""
写 `selectivity(features, labels, controls, train, num_classes, ridge=1.0)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `features` | (n, D) | 浮点数组，所有的例子 |
| `labels` | (n,) | 整数数组，任务的类别，0 到 C − 1 |
| `controls` | (n,) | 整数数组，对照任务的类别，0 到 C − 1 |
| `train` | (n,) | bool 数组，True = 用来学，False = 用来考；两样都有 |
| `num_classes` | | 整数，C，两个任务一样多 |
| `ridge` | | 数，交给 `probe_layer` |

- 探针用两次：一次学 `labels`，一次学 `controls`，都只学 `train` 的部分，都在其余的例子上考。用你的 `probe_layer`（检查时用的是参考的那一份，前一题没做对也不连累这一题）。
- 每个例子猜分数最高的类；一样高，猜第一个。准确率是猜对的份额，0 到 1。
- **返回**三个数：任务的准确率、对照的准确率、前者减后者。
"""

# %% [markdown] lang="en"
r"""
Write `selectivity(features, labels, controls, train, num_classes, ridge=1.0)`:

| Argument | Shape | Notes |
|---|---|---|
| `features` | (n, D) | float array, all examples |
| `labels` | (n,) | int array, classes of the task, from 0 to C − 1 |
| `controls` | (n,) | int array, classes of the control task, from 0 to C − 1 |
| `train` | (n,) | bool array, True = to learn from, False = to be judged by; there are some of both |
| `num_classes` | | int, C, the same for both tasks |
| `ridge` | | number, for `probe_layer` |

- Use the probe twice: it learns `labels` once and `controls` once, each time from the `train` part only, and each time it is judged by the other examples. Use your `probe_layer` (the check uses the reference's, so a mistake in that exercise does no harm here).
- The guess for an example is the class with the highest score, of equals the first. Accuracy is the share of right guesses, from 0 to 1.
- **Returns** three numbers: the accuracy of the task, that of the control, and the first minus the second.
"""

# %% exercise="selectivity"
from bert_keras.analysis.probing import selectivity

# %% check="selectivity"
check("selectivity", selectivity)

# %% [markdown] lang="zh"
r"""
**用一用。** 槽这一样，MiniLM 的每一层：任务、对照和中间的差。对照也是十类，抽签定的。**先猜**：探针在哪一层最会背？选择性在哪一层最大？
"""

# %% [markdown] lang="en"
r"""
**Use it.** Slots in every layer of MiniLM: the task, the control, and the gap. The control has ten classes, too, drawn by lot. **Predict**: in which layer does the probe memorise best? In which one is selectivity largest?
"""

# %% tags=["experiment"]
gaps = None  # (L + 1, 3)
if asked and ready("probe_layer", "control_task", "selectivity"):
    labels, some, classes = asked["slot"]
    controls = control_task(words, classes, np.random.default_rng(0))
    chosen = (labels[some], controls[some], train[some], classes)
    gaps = np.array([selectivity(layer[some], *chosen) for layer in trained_states])
    untrained_gaps = np.array([selectivity(layer[some], *chosen) for layer in fresh_states])
    words_of_chart = chart_words(LANG)
    titles = ("MiniLM", words_of_chart("没训练过", "untrained"))
    with chart(2, width=3.9, height=3.0) as axes:
        for axis, title, found in zip(axes, titles, (gaps, untrained_gaps)):
            axis.plot(found[:, 0], "o-", color=COLOURS[0], label=words_of_chart("槽", "slot"))
            style = {"color": COLOURS[1], "label": words_of_chart("对照", "control")}
            axis.plot(found[:, 1], "s-", **style)
            axis.fill_between(range(LAYERS + 1), found[:, 1], found[:, 0], color="grey", alpha=0.25)
            axis.set_title(title, fontsize=10)
            axis.set_ylim(0.7, 1.01)
            axis.set_xlabel(words_of_chart("层", "layer"))
        axes[0].set_ylabel(words_of_chart("准确率", "accuracy"))
        axes[0].legend(fontsize=8, loc="lower left")
    for layer, (task, control, gap) in enumerate(gaps):
        say(
            f"第 {layer} 层：槽 {task:.3f}，对照 {control:.3f}，选择性 {gap:+.3f}",
            f"layer {layer}: slot {task:.3f}, control {control:.3f}, selectivity {gap:+.3f}",
        )
    for ridge in (1.0, 30.0, 1000.0):
        low, high = (selectivity(trained_states[n][some], *chosen, ridge) for n in (0, 4))
        say(
            f"岭 {ridge:6.0f}：选择性，第 0 层 {low[2]:+.3f}，第 4 层 {high[2]:+.3f}",
            f"ridge {ridge:6.0f}: selectivity of layer 0 {low[2]:+.3f}, of layer 4 {high[2]:+.3f}",
        )

# %% [markdown] lang="zh"
r"""
第 0 层，毫无道理的题考了 0.95，比槽（0.87）还高：选择性是**负**的。嵌入是词的身份证，词一共才三百来个，维数有三百八十四，背什么都背得下；槽反而有一部分背不下，因为同一个词有时候是设备、有时候不是，要看句子。往上走，两条线换了位置：词的身份淡了，背起来难了；句子里的角色清楚了。第 4 层的选择性最大。单看任务的那条线，第 0 层到第 4 层只涨了 7 个百分点；看差，涨了 14 个。

没训练过的网络（右图）呢？任务的线是平的，对照一路在上面：它每一层都还是身份证。这样，“第 4 层里有槽”才算说得过去：比第 0 层高，比没训练过的高，比只能背的题也高。

岭大一点，背不动了，选择性普遍变大；但要紧的是同一个岭下面各层的**次序**，那没有变。还有一句公道话：选择性也不是定论。对照题考得低，可能只是因为这一层把词的身份丢了，跟懂不懂槽没有关系。它是一把尺子，不是判决。
"""

# %% [markdown] lang="en"
r"""
In layer 0 the senseless task gets 0.95, more than slots (0.87): selectivity is **negative**. An embedding is the passport of a word; there are only some three hundred words and 384 dimensions, so anything can be learnt by heart. Slots can't altogether, because the same word is a device in one sentence and not in another. On the way up the lines change places: which word it is fades and gets harder to memorise, what it does in the sentence gets clearer. Layer 4 is the most selective. Going by the line of the task alone, layers 0 to 4 gain 7 points; by the gap, 14.

And the network without training (on the right)? Its task is flat, and the control stays above it: it is a passport in every layer. That makes it fair to say "layer 4 has slots": more than layer 0, more than without training, and more than a task that can only be memorised.

With a larger ridge memorising gets harder, and selectivity larger on the whole; what counts is the **order** of the layers under one ridge, and that stays. In fairness, selectivity is no final word, either. The control may be low just because a layer has dropped which word it was, whatever it knows of slots. It is a measure and not a verdict.
"""

# %% [markdown] lang="zh"
r"""
## 7b.4 练习：本事在哪一层

“位置在低层，意图在高层”：能不能说成一个数？Tenney 等人（2019）用了两个。

**一，让任务自己挑层。** 各层的向量按份额掺在一起（4a 的 ELMo 就这么做），份额是 softmax 出来的，跟任务一起学：

$$w_l = \frac{e^{s_l}}{\sum_k e^{s_k}}, \qquad h = \sum_{l=0}^{L} w_l \, h_l$$

份额落在哪里，用**重心**说：$\sum_l l \, w_l$，第 0 层是嵌入。全在嵌入上，重心是 0；全在顶层，是 L；平分，是 L / 2。

写 `scalar_mix_probe(layers, logits)`：

- `layers`：(L + 1, n, D) 的浮点数组，n 个例子在各层的向量，第 0 层是嵌入。
- `logits`：(L + 1,) 的浮点数组，各层的 $s_l$；可以很大，也可以很小，`exp` 不许溢出。
- **返回**两样，`(mixed, centre)`：(n, D) 的浮点数组 $\sum_l w_l h_l$，和一个数 $\sum_l l \, w_l$，l 从 0 数起。
- 用 NumPy，在 float64 里算。
"""

# %% [markdown] lang="en"
r"""
## 7b.4 Exercise: in which layer is it?

"Position is low, intent is high": can that be a number? Tenney et al. (2019) used two.

**One: let the task choose its layers.** The vectors of all layers are mixed by shares (as ELMo does in 4a), which are a softmax and are learnt together with the task:

$$w_l = \frac{e^{s_l}}{\sum_k e^{s_k}}, \qquad h = \sum_{l=0}^{L} w_l \, h_l$$

Where the shares lie is told by their **centre of gravity**, $\sum_l l \, w_l$, with the embeddings as layer 0. All on the embeddings gives 0, all on the top layer L, equal shares L / 2.

Write `scalar_mix_probe(layers, logits)`:

- `layers`: float array of shape (L + 1, n, D), the vectors of n examples in all layers; layer 0 are the embeddings.
- `logits`: float array of shape (L + 1,), the $s_l$ of the layers; they may be very large or small, and `exp` must not overflow.
- **Returns** the pair `(mixed, centre)`: a float array of shape (n, D), $\sum_l w_l h_l$, and a number, $\sum_l l \, w_l$, with l counted from 0.
- Use NumPy and compute in float64.
"""

# %% exercise="scalar_mix_probe"
from bert_keras.analysis.probing import scalar_mix_probe

# %% check="scalar_mix_probe"
check("scalar_mix_probe", scalar_mix_probe)

# %% [markdown] lang="zh"
r"""
**二，看新添了多少。** 份额大，不等于那一层有**新**东西：顶层什么都有一点，是从下面带上来的。那就让探针一层一层地多看：先只看第 0 层，再看 0 到 1，再看 0 到 2……第 l 层的功劳，是看见它之后多出来的分：

$$\Delta_l = \text{scores}[l] - \text{scores}[l-1], \quad l = 1, \dots, L, \qquad \bar{l} = \frac{\sum_l l \, \Delta_l}{\sum_l \Delta_l}$$

第 0 层的分不算在里面：那是词自己就有的。

写 `expected_layer(scores)`：

- `scores`：(L + 1,) 的浮点数组，$\text{scores}[l]$ 是看得见第 0 到第 l 层的探针的分数。
- 负的 $\Delta_l$（多看一层反而差了）照样算，不改成 0，也不取绝对值。
- **返回**一个数。
- $\sum_l \Delta_l$ 是 0 的话没有意义，抛出 `ValueError`。
"""

# %% [markdown] lang="en"
r"""
**Two: see what is new.** A large share doesn't mean that the layer has anything **new**: the top layer has a bit of everything, carried up from below. So let a probe see one layer more at a time: layer 0 only, then 0 and 1, then 0 to 2, … What layer l has done is the score that seeing it adds:

$$\Delta_l = \text{scores}[l] - \text{scores}[l-1], \quad l = 1, \dots, L, \qquad \bar{l} = \frac{\sum_l l \, \Delta_l}{\sum_l \Delta_l}$$

The score of layer 0 isn't in it: that much the words have by themselves.

Write `expected_layer(scores)`:

- `scores`: float array of shape (L + 1,); $\text{scores}[l]$ is the score of a probe that sees the layers 0 to l.
- A negative $\Delta_l$ (one more layer made it worse) counts as it is: it isn't set to 0, and no absolute value is taken.
- **Returns** a number.
- Where $\sum_l \Delta_l$ is 0 it has no meaning, and `ValueError` is raised.
"""

# %% exercise="expected_layer"
from bert_keras.analysis.probing import expected_layer

# %% check="expected_layer"
check("expected_layer", expected_layer)

# %% [markdown] lang="zh"
r"""
**用一用。** 三样东西（位置、槽、意图），每样两把尺子。先让一个线性的读者同时学各层的份额（200 步；各层先缩放成标准差 1），你的 `scalar_mix_probe` 给出重心。再用探针看第 0 到第 l 层（每层先取训练部分的前 64 个主方向，好算得快，然后并排），你的 `expected_layer` 给出平均在第几层添的分。

**先猜**：Tenney 等人（2019）在 BERT 里看到，词性和句法偏低，意思偏高，像一条流水线。这三样按重心排，会是什么次序？按添的分排呢？
"""

# %% [markdown] lang="en"
r"""
**Use it.** Position, slot and intent, each with both measures. First a linear reader learns the shares of the layers along with itself (200 steps; every layer is scaled to standard deviation 1 beforehand), and your `scalar_mix_probe` tells the centre. Then probes see the layers 0 to l (side by side, of each the first 64 principal directions of the training part, to be quick), and your `expected_layer` tells at which layer the score was added, on average.

**Predict**: in BERT, Tenney et al. (2019) found parts of speech and syntax low and meaning high, like a pipeline. In what order do the centres put these three? And the layers where the score was added?
"""

# %% tags=["experiment"]
from bert_keras.training.probing_tasks import linear_on_mix

mixes, cumulative = {}, {}
if asked and ready("probe_layer", "scalar_mix_probe", "expected_layer"):
    kept = []  # of each layer, (n, 64)
    for layer in trained_states.astype("float64"):
        layer = layer - layer[train].mean(axis=0)
        kept.append(layer @ np.linalg.svd(layer[train], full_matrices=False)[2][:64].T)
    for name, (labels, some, classes) in asked.items():
        learnt, judged = some & train, some & ~train
        shares, _ = linear_on_mix(
            [layer[learnt] for layer in trained_states],
            labels[learnt],
            [layer[judged] for layer in trained_states],
            classes,
            steps=200,
            seed=0,
        )
        mixed, centre = scalar_mix_probe(trained_states, np.log(shares))
        mixes[name] = (shares, centre)
        cumulative[name] = [
            accuracy_of(np.concatenate(kept[: n + 1], axis=1), labels, some, classes)
            for n in range(LAYERS + 1)
        ]
    words_of_chart = chart_words(LANG)
    with chart(2, width=4.2, height=3.0) as (bars, steps):
        for n, name in enumerate(mixes):
            shares, centre = mixes[name]
            places = np.arange(LAYERS + 1) + 0.27 * (n - 1)
            style = {"color": COLOURS[n], "label": words_of_chart(*NAMES[name])}
            bars.bar(places, shares, width=0.25, **style)
            bars.axvline(centre, color=COLOURS[n], ls="--", lw=1)
            steps.plot(cumulative[name], MARKERS[n] + "-", **style)
        bars.axhline(1 / (LAYERS + 1), color="black", lw=0.8, ls=":")
        bars.set_ylabel(words_of_chart("份额（虚线：重心）", "share (dashed: centre)"))
        steps.set_ylabel(words_of_chart("看得见 0 到 l 层", "sees layers 0 to l"))
        steps.legend(fontsize=8)
        for axis in (bars, steps):
            axis.set_xlabel(words_of_chart("层", "layer"))
    for name, scores in cumulative.items():
        gained = scores[-1] - scores[0]
        layer = f"{expected_layer(scores):.2f}" if gained else "–"
        say(
            f"{NAMES[name][0]}：重心 {mixes[name][1]:.2f}；平均在第 {layer} 层添分，共添 {gained:+.3f}",
            f"{name}: centre {mixes[name][1]:.2f}; added at layer {layer} on average, "
            f"{gained:+.3f} in all",
        )

# %% [markdown] lang="zh"
r"""
按重心，次序就是论文说的：位置 2.3，槽 3.3，意图 4.5，一条流水线。按添的分，流水线不见了：槽和意图平均都在 2.7、2.8 层上添的。看图就明白：意图的份额有六成压在第 6 层，因为那里**单独**就读得出它，又没有位置来捣乱；可是它的分是一层一层添出来的：第 1 到第 3 层每层差不多 10 个百分点，后面三层合起来才又添了 10 个。“主要在第几层”，问的是哪里**有**，还是哪里**新有**，答案不一样。

位置那一行是个陷阱：多看几层，它反而掉了分（总共添的是负的，多出来的特征只会添乱）。这时候公式照样给出一个数，2.5 左右，而它**什么意思也没有**。公式只在总共恰好是 0 时报错；总共添得很少或者是负的时候，得你自己看出来。
"""

# %% [markdown] lang="en"
r"""
By their centres the order is that of the paper, position 2.3, slot 3.3, intent 4.5: a pipeline. By what was added there is none: slot and intent were added at layers 2.7 and 2.8, on average. The picture tells why. Nearly six tenths of the shares of intent lie on layer 6, for it has intent **by itself**, with no position to disturb; yet its score was built up layer by layer: about 10 points by each of the layers 1 to 3, and 10 more by the three after them together. "In which layer is it?" may ask where it **is** or where it is **new**, and the answers differ.

The line of position is a trap. With more layers to see it loses points (what is added in all is negative; further features only disturb). The formula returns a number all the same, about 2.5, and it means **nothing at all**. It complains only when exactly nothing is added; when it is very little or negative, you have to notice yourself.
"""

# %% [markdown] lang="zh"
r"""
## 7b.5 练习：两层像不像，两个模型像不像

探针要有标签。没有标签，也能问：这两层的向量，是不是同一回事？第 3 层的第 17 维和第 4 层的第 17 维毫无关系，不能逐维相减。换一个种子训练，得到的空间可以整个转过一个角度，说的却是同一套话。

办法是**不比向量，比例子之间的远近**。n 个例子，两种表示 X 和 Y，每列都先减去自己的平均。$X X^\top$ 是 (n, n)，第 i 行第 j 列说的是：例子 i 和 j 在 X 里有多近；$Y Y^\top$ 同样。两张表像不像，就用它们的余弦，叫**中心化核对齐**（linear CKA；Kornblith 等人，2019）：

$$\text{CKA}(X, Y) = \frac{\langle X X^\top, \, Y Y^\top \rangle}{\lVert X X^\top \rVert_F \, \lVert Y Y^\top \rVert_F} = \frac{\lVert Y^\top X \rVert_F^2}{\lVert X^\top X \rVert_F \, \lVert Y^\top Y \rVert_F}$$

右边是同一个数，只是不用造 (n, n) 的大表。X 转个角度、整个放大几倍，都不变；但把某几维单独拉长，就变：那时谁近谁远已经不同了。

写 `linear_cka(x, y)`：

- `x`：(n, D1) 的浮点数组，`y`：(n, D2) 的浮点数组，同样 n 个例子的两种表示，第 i 行是同一个例子。D1 和 D2 可以不一样。
- **返回**一个数，0 到 1。两边都不是常数（至少有一列会变）。
- 用 NumPy，在 float64 里算；传进来的数组别改动。
"""

# %% [markdown] lang="en"
r"""
## 7b.5 Exercise: how alike are two layers, or two models?

A probe needs labels. Without them one can still ask: do these two layers say the same? Dimension 17 of layer 3 has nothing to do with dimension 17 of layer 4, so a difference of coordinates means nothing. Train with another seed, and the whole space may be turned round, and still say the same.

So **compare distances between examples, and not vectors**. There are n examples and two representations, X and Y; take from each column its mean. $X X^\top$ is (n, n), and in row i and column j it says how near examples i and j are in X; likewise $Y Y^\top$. How alike the two tables are is told by their cosine, **centred kernel alignment** (linear CKA; Kornblith et al., 2019):

$$\text{CKA}(X, Y) = \frac{\langle X X^\top, \, Y Y^\top \rangle}{\lVert X X^\top \rVert_F \, \lVert Y Y^\top \rVert_F} = \frac{\lVert Y^\top X \rVert_F^2}{\lVert X^\top X \rVert_F \, \lVert Y^\top Y \rVert_F}$$

The right side is the same number and needs no table of (n, n). Turn X, or make all of it larger, and nothing changes; stretch some dimensions by themselves, and it does: other examples are near each other then.

Write `linear_cka(x, y)`:

- `x`: float array of shape (n, D1), `y`: float array of shape (n, D2), two representations of the same n examples; row i is the same example in both. D1 and D2 may differ.
- **Returns** a number from 0 to 1. Neither of the two is constant (some column varies).
- Use NumPy and compute in float64; don't change the arrays that you are handed.
"""

# %% exercise="linear_cka"
from bert_keras.analysis.representation import linear_cka

# %% check="linear_cka"
check("linear_cka", linear_cka)

# %% [markdown] lang="zh"
r"""
**看一看。** MiniLM 的七层两两比；旁边是 MiniLM 的每一层跟没训练过的那个的每一层比（行是 MiniLM 的层，列是右边那个的层；数字是百分之几，量的是 600 个词）。**先猜**：相邻的两层有多像？训练过的第 6 层跟没训练过的第 6 层呢？
"""

# %% [markdown] lang="en"
r"""
**See it.** The seven layers of MiniLM, two by two; and beside it every layer of MiniLM against every layer of the untrained one (rows are layers of MiniLM, columns those of the other; numbers in per cent, measured on 600 words). **Predict**: how alike are neighbouring layers? And layer 6 with training and layer 6 without?
"""

# %% tags=["experiment"]
from bert_keras.analysis.attention import attention_map

alike = None  # (2, L + 1, L + 1)
if asked and ready("linear_cka"):
    some = np.random.default_rng(0).permutation(len(words))[:600]
    alike = np.array(
        [
            [[linear_cka(x[some], y[some]) for y in others] for x in trained_states]
            for others in (trained_states, fresh_states)
        ]
    )
    layer_names = [str(n) for n in range(LAYERS + 1)]
    titles = [
        text("MiniLM 和自己", "MiniLM and itself"),
        text("和没训练过的", "and the untrained one"),
    ]
    display(attention_map(layer_names, alike, key_tokens=layer_names, titles=titles, columns=2))
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(384, 384)))[0]
    layer = trained_states[3][some]
    stretch = np.exp(np.random.default_rng(0).normal(size=384))
    say(
        f"第 3 层和转过的第 3 层 {linear_cka(layer, layer @ turn):.3f}，"
        f"和放大五倍的 {linear_cka(layer, 5 * layer):.3f}，"
        f"各维随便拉长的 {linear_cka(layer, layer * stretch):.3f}，"
        f"打乱了次序的 {linear_cka(layer, layer[::-1]):.3f}",
        f"layer 3 and layer 3 turned {linear_cka(layer, layer @ turn):.3f}, "
        f"five times as large {linear_cka(layer, 5 * layer):.3f}, "
        f"dimensions stretched by lot {linear_cka(layer, layer * stretch):.3f}, "
        f"rows in another order {linear_cka(layer, layer[::-1]):.3f}",
    )

# %% [markdown] lang="zh"
r"""
左图：相邻的两层像到九成多，因为旁路（残差）把整个向量原样带上去，一层只改一点；隔得越远越不像。例外是最后一层：它离谁都远，到第 5 层也只有 0.78。蒸馏和句子向量的目标压在最后一层上，改得最多的也是它。

右图：没训练过的七层彼此几乎一样（同一行的数字全都差不多），随机的层改不了什么；训练过的 MiniLM 一层一层地离它们而去，从 0.40 到 0.25。

最下面一行是定义给的：转动、放大，看不出来；各维随便拉长，变；例子的次序对不上，就什么也不剩（不恰好是 0：600 个例子，总有一点碰巧）。
"""

# %% [markdown] lang="en"
r"""
On the left: neighbouring layers are alike by more than nine tenths, for the bypass (the residual connection) carries the whole vector up and a layer changes only a little of it; the further apart, the less alike. The exception is the last layer, far from all, and only 0.78 from layer 5. Distillation and the objective on sentence vectors pull at the last layer, and it is the one that changed most.

On the right: the seven layers without training are all the same to it (numbers in a row hardly differ), since random layers change little; and layer by layer the trained MiniLM moves away from them, from 0.40 to 0.25.

The last line is what the definition promises: a turn or another scale can't be seen; stretching dimensions can; and where the examples are in another order, nothing is left (not exactly 0: with 600 examples something always happens to agree).
"""

# %% [markdown] lang="zh"
r"""
## 7b.6 练习：小语种怎么抽

前面都是一种语言。2018 年 Google 放出的 BERT 里有一个**多语言**的（mBERT）：104 种语言的维基百科，一张词表，一个模型，没有任何标记说哪句是哪国话。麻烦是文字的多少天差地别，英文维基比冰岛文的大得多：照大小抽，小语种几乎轮不到；一样多地抽，小语种那一点点文字要反复读上千遍。

mBERT 取了个中间的办法：第 k 种语言占 $p_k$，改成

$$q_k = \frac{p_k^{\,s}}{\sum_j p_j^{\,s}}, \qquad s = 0.7$$

s = 1 是照大小，s = 0 是人人一样；s 在中间，大的让一点，小的多一点，次序不变。英文是冰岛文的 1000 倍时，$1000^{0.7} \approx 126$：抽到的机会只差 126 倍了。

写 `smoothed_language_weights(counts, exponent=0.7)`：

- `counts`：K 个数（列表或数组），每种语言有多少文字，0 或更大。
- `exponent`：数，0 或更大，上面的 s。
- 没有文字的语言，份额总是 0，哪怕 s = 0。
- **返回** (K,) 的浮点数组，加起来是 1。
- 有负数，或者全是 0，抛出 `ValueError`。`counts` 别改动。
"""

# %% [markdown] lang="en"
r"""
## 7b.6 Exercise: how to draw small languages

So far there was one language. Among the BERTs that Google released in 2018 one is **multilingual** (mBERT): Wikipedia in 104 languages, one vocabulary, one model, and no mark to say which sentence is in which. The trouble is how unequal they are; English has far more text than Icelandic. Drawn by size, a small language has hardly a turn; drawn equally, its little text is read a thousand times over.

mBERT goes between: where language k has the share $p_k$, it is drawn with

$$q_k = \frac{p_k^{\,s}}{\sum_j p_j^{\,s}}, \qquad s = 0.7$$

s = 1 is by size, s = 0 is equally; in between, large ones give way a little and small ones gain, and their order stays. If English is 1000 times Icelandic, $1000^{0.7} \approx 126$: it is drawn only 126 times as often.

Write `smoothed_language_weights(counts, exponent=0.7)`:

- `counts`: K numbers (a list or an array), how much text each language has, 0 or more.
- `exponent`: number, 0 or more, the s above.
- A language without text always has the share 0, even if s = 0.
- **Returns** a float array of shape (K,) that adds up to 1.
- If a count is negative, or all of them are 0, `ValueError` is raised. Don't change `counts`.
"""

# %% exercise="smoothed_language_weights"
from bert_keras.text.languages import smoothed_language_weights

# %% check="smoothed_language_weights"
check("smoothed_language_weights", smoothed_language_weights)

# %% [markdown] lang="zh"
r"""
**看一看。** 一个开源家居软件的界面，各语言的译文有多少个字符（用 `interface_texts` 数的，训练部分）：英文 757,618，德文 895,879，荷兰文 421,909，法文 408,676，中文 254,896，冰岛文 2,909。**先猜**：s = 0.7 时，冰岛文的份额大约变成几倍？最大的德文呢？
"""

# %% [markdown] lang="en"
r"""
**See it.** The interface of an open-source home program, and how many characters it has in each language (counted with `interface_texts`, training part): English 757,618, German 895,879, Dutch 421,909, French 408,676, Chinese 254,896, Icelandic 2,909. **Predict**: with s = 0.7, how many times larger does the share of Icelandic become? And that of German, the largest?
"""

# %%
CHARACTERS = {
    "de": 895_879,
    "en": 757_618,
    "nl": 421_909,
    "fr": 408_676,
    "zh": 254_896,
    "is": 2_909,
}
if ready("smoothed_language_weights"):
    exponents = (1.0, 0.7, 0.3, 0.0)
    shares = [smoothed_language_weights(list(CHARACTERS.values()), one) for one in exponents]
    words_of_chart = chart_words(LANG)
    with chart(1, width=6.0, height=2.8) as (axis,):
        for n, (exponent, some) in enumerate(zip(exponents, shares)):
            places = np.arange(len(some)) + 0.2 * (n - 1.5)
            axis.bar(places, some, width=0.18, color=COLOURS[n], label=f"s = {exponent:g}")
        axis.set_xticks(range(len(CHARACTERS)), CHARACTERS)
        axis.set_ylabel(words_of_chart("份额", "share"))
        axis.legend(fontsize=8)
    for name, *some in zip(CHARACTERS, *shares):
        print(name, "  ".join(f"{one:7.2%}" for one in some))

# %% [markdown] lang="zh"
r"""
s = 0.7 时，冰岛文从千分之一变成千分之五，将近五倍；德文让出一点。为什么不干脆 s = 0，人人一样？一份 2,909 个字符的文字，要占六分之一，就得一遍一遍地重读，早就背下来了；而英文、德文白白少看了许多。s 是折中，取多少没有道理可讲，只能试：mBERT 用 0.7，Conneau 和 Lample（2019）用 0.5，后来的 XLM-R（2020）用 0.3。

课程库里，`bert-keras prepare` 和 `pretrain` 也会：`configs/pretrain_multilingual.toml` 把四种语言的界面文字放进一个 BERT，`data.language_exponent` 就是这里的 s。
"""

# %% [markdown] lang="en"
r"""
With s = 0.7 Icelandic goes from one thousandth to five, nearly five times as much, and German gives way a little. Why not s = 0, and the same for all? For a sixth of the whole, a text of 2,909 characters has to be read over and over again, and is learnt by heart long before; and meanwhile much English and German goes unread. The exponent is a compromise, and there is no reasoning to tell you which; people tried: mBERT takes 0.7, Conneau and Lample (2019) 0.5, and XLM-R (2020) after them 0.3.

The library of the course does it, too, in `bert-keras prepare` and `pretrain`: `configs/pretrain_multilingual.toml` puts an interface in four languages into one BERT, and `data.language_exponent` is this s.
"""

# %% [markdown] lang="zh"
r"""
## 7b.7 练习：用一种语言学，用别的语言考

多语言模型最惊人的用法是**零样本跨语言**：只用英文的标注教一件事，直接拿去做别的语言（Pires 等人，2019）。量它的办法是一张表：每种语言各学一次，每学一次，把所有语言都考一遍。对角线是“本语言”，别处是“跨语言”；旁边摆瞎猜的数，还要摆一个根本不懂语言的特征，因为不同语言里总有写法相同的东西（数字、“TV”、“timer”）。

写 `transfer_table(sets, fit, accuracy)`：

- `sets`：K 对 `(train, test)` 的列表，每种语言一对；里面是什么不用管，交给下面两个函数就行。
- `fit`：`fit(train)` 返回一个学好的模型。每种语言**恰好叫一次**，按 `sets` 的次序：训练最贵。
- `accuracy`：`accuracy(model, test)` 返回一个数。
- **返回** (K, K) 的浮点数组：第 i 行第 j 列，是第 i 种语言的 `train` 学出来的模型，在第 j 种语言的 `test` 上的准确率。对角线也要。
"""

# %% [markdown] lang="en"
r"""
## 7b.7 Exercise: taught in one language, tested in another

The most surprising use of a multilingual model is **zero-shot transfer**: something is taught with English labels only, and then done in other languages (Pires et al., 2019). It is measured by a table: learn from each language in turn, and test on all of them every time. The diagonal is a language on itself, everything else is transfer; and beside it belongs guessing, and a set of features that knows no language at all, because some things are written the same in several (digits, "TV", "timer").

Write `transfer_table(sets, fit, accuracy)`:

- `sets`: a list of K pairs `(train, test)`, one for each language; what is in them is no concern of yours, just hand them on.
- `fit`: `fit(train)` returns a model that has learnt. It is called **exactly once** for each language, in the order of `sets`: training is what costs most.
- `accuracy`: `accuracy(model, test)` returns a number.
- **Returns** a float array of shape (K, K): in row i and column j stands the accuracy, on the `test` of language j, of the model that learnt from the `train` of language i. The diagonal is wanted, too.
"""

# %% exercise="transfer_table"
from bert_keras.analysis.representation import transfer_table

# %% check="transfer_table"
check("transfer_table", transfer_table)

# %% [markdown] lang="zh"
r"""
**用一用。** 家居命令有四种语言的模板，意图的名字是共用的：开、关、调灯、问状态、计时、加时、减时、调音量，八类。每种语言 160 句学，80 句考（出自没见过的模板）。两种特征，探针一样：

- **字母三连**：句子里有哪些三个字符的小段（散列到 512 格里），不懂任何语言；
- **MiniLM 的最后一层**，各词元的平均。它只在英文上练过。

表里行是学的语言，列是考的语言，数字是百分之几。**先猜**：用英文学、中文考，MiniLM 比瞎猜（八分之一）高吗？德文、法文呢？字母三连呢？
"""

# %% [markdown] lang="en"
r"""
**Use it.** There are templates of home commands in four languages, and the names of their intents are shared: on, off, lights, state, set a timer, add to it, take from it, volume: eight classes. Each language has 160 sentences to learn from and 80 to be tested on, from templates not seen before. One probe, two kinds of features:

- **triples of letters**: which stretches of three characters the sentence has (hashed into 512 slots); it knows no language;
- **the last layer of MiniLM**, mean of all tokens. MiniLM was trained on English only.

In the table rows are the languages learnt from and columns those of the test, in per cent. **Predict**: trained on English and tested on Chinese, is MiniLM above guessing (one in eight)? On German, on French? And the triples?
"""

# %% tags=["experiment"]
import zlib

SHARED = (
    "HassTurnOn",
    "HassTurnOff",
    "HassLightSet",
    "HassGetState",
    "HassStartTimer",
    "HassIncreaseTimer",
    "HassDecreaseTimer",
    "HassSetVolumeRelative",
)


def some_of_each(rows, count):
    """As many rows of each shared intent, as texts and labels."""
    of_intent = [[one.text for one in rows if one.intent == name] for name in SHARED]
    rng, texts, labels = np.random.default_rng(0), [], []
    for label, every in enumerate(of_intent):
        chosen = rng.permutation(len(every))[: count // len(SHARED)]
        texts += [every[n] for n in chosen]
        labels += [label] * len(chosen)
    return texts, np.array(labels)


def triples(texts):
    found = np.zeros((len(texts), 512))
    for row, one in enumerate(texts):
        padded = f" {one} "
        for start in range(len(padded) - 2):
            found[row, zlib.crc32(padded[start : start + 3].encode()) % 512] += 1
    return found


def last_layer(texts):
    rows = [(tokenizer.encode(one)[:22], None) for one in texts]
    inputs = packing.pack_batch(rows, checkpoint.vocabulary, 24)
    real = inputs["padding_mask"][..., None]
    last = model.predict(inputs, batch_size=80, verbose=0)["sequence_output"]
    return (last * real).sum(axis=1) / real.sum(axis=1)


tables = {}  # name: (K, K)
if model is not None and ready("probe_layer", "transfer_table"):
    tongues = {"en": "en", "de": "de", "fr": "fr", "zh": "zh-CN"}
    split = {name: intents.load(language=code) for name, code in tongues.items()}
    texts_of = {
        name: [some_of_each(parts[part], count) for part, count in (("train", 160), ("test", 80))]
        for name, parts in split.items()
    }

    def fit(train):
        features, labels = train
        return lambda test: probe_layer(features, labels, test, len(SHARED))

    def accuracy(probe, test):
        return float(np.mean(probe(test[0]).argmax(axis=1) == test[1]))

    kinds = {
        text("字母三连", "triples of letters"): triples,
        text("MiniLM 的最后一层", "last layer of MiniLM"): last_layer,
    }
    for title, features_of in kinds.items():
        sets = [
            tuple((features_of(texts), labels) for texts, labels in pair)
            for pair in texts_of.values()
        ]
        tables[title] = transfer_table(sets, fit, accuracy)
    names = list(tongues)
    display(
        attention_map(
            names, np.stack(list(tables.values())), key_tokens=names, titles=list(tables), columns=2
        )
    )
    for title, table in tables.items():
        away = table[~np.eye(len(names), dtype=bool)].mean()
        say(
            f"{title}：自己的语言 {np.diag(table).mean():.2f}，别的语言 {away:.2f}",
            f"{title}: own language {np.diag(table).mean():.2f}, others {away:.2f}",
        )
    say(f"瞎猜 {1 / len(SHARED):.2f}", f"guessing {1 / len(SHARED):.2f}")

# %% [markdown] lang="zh"
r"""
在英文自己身上，MiniLM 比字母三连好一截（九成多比八成）；换了语言，两边都塌了，只比瞎猜的八分之一高一点。那一点是从哪里来的？三连的那张表已经有一部分：数字、单位、人人都写的“timer”“TV”。所以 MiniLM 的 0.24 里，只有超出 0.16 的那几个百分点，才谈得上是别的。它没有见过德文和中文，没有理由会。

再看它那张表的对角线：德文、法文、中文自己学、自己考，也有五成到七成多。它不懂这些语言，可是不同的句子有不同的词元，混一混，探针就能用：7b.2 那个没训练过的网络，又来了一次。**对角线高，不说明懂这种语言；跨语言的格子才说明问题。** 真正的多语言预训练做得到多少，在 7b.8。
"""

# %% [markdown] lang="en"
r"""
On English itself MiniLM is well above the triples of letters (over 90 % against 81); in other languages both break down, to a little more than guessing one in eight. Where does that little come from? The table of the triples has part of it already: digits, units, a "timer" and a "TV" that everybody writes. So of MiniLM's 0.24 only the few points beyond 0.16 can be anything else. It has never read German or Chinese, and there is no reason why it should know any.

Mind the diagonal of its table, too: German, French and Chinese, taught and tested in themselves, get from five to more than seven tenths. MiniLM knows none of them; but different sentences have different tokens, and a mixture of these is enough for a probe: the untrained network of 7b.2 again. **A high diagonal doesn't show that a language is understood; the squares beside it are what counts.** What multilingual pretraining can really do is in 7b.8.
"""

# %% [markdown] lang="zh"
r"""
## 7b.8 存好的实验

两件要跑得久的事：断言写在正式测量之前，各跑三个种子，结果存在本章旁边。不过第一个实验的（1）（2）两条算不上预测：写的时候，上面那一次抽样的图已经看过了，它们问的只是换一批句子还成不成立。（还没有量过的，单元格会说一声，接着往下做就行。）

**一、每一层，两个模型，有没有训练过。** 英文还是 MiniLM 和家居命令，句子多一倍，抽三次。中文是一个两层的小 BERT（4a 到 6b 里的那种），读《人民日报》，探针的例子是**字**，问两样：它所在的词是什么词性（最常见的十二类），它在不在人名、地名、机构名里。每样都有对照、重心、添分的层，和没训练过的网络。还比了两个种子练出来的模型：同一层，CKA 是多少？
"""

# %% [markdown] lang="en"
r"""
## 7b.8 Stored experiments

Two things that take longer. Their claims were written down before the stored runs, there are three seeds, and the results are kept beside this notebook. But parts (1) and (2) of the first are no predictions: when they were written, the pictures above, of one draw, had been seen; they only ask whether the same holds for other sentences. (Where one hasn't been measured yet, the cell says so; just go on.)

**One: every layer of two models, with and without training.** English is MiniLM and the home commands again, with twice as many sentences, drawn three times. Chinese is a small BERT of two layers (of the kind of 4a to 6b) that has read People's Daily; examples are **characters**, and two things are asked: the part of speech of its word (the twelve commonest), and whether it is in the name of a person, place or organisation. Each with a control, a centre, the layer where score was added, and a network without training. And models of two seeds are compared: how much CKA is there between their layers?
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


def spread(figure, digits=2):
    return f"{figure['mean']:.{digits}f} ± {figure['sd']:.{digits}f}"


def means(by_layer):
    return [one["mean"] for one in by_layer.values()]


ASKED = {
    **{name: ("minilm", *pair) for name, pair in NAMES.items()},
    "part_of_speech": ("zh", "词性", "part of speech"),
    "name": ("zh", "专名", "name"),
}
probes_by_layer = stored("probes_by_layer")
if probes_by_layer:
    verdict_of(probes_by_layer)
    figures = probes_by_layer["figures"]
    words_of_chart = chart_words(LANG)
    with chart(len(ASKED), width=2.6, height=2.9) as axes:
        for axis, (name, (made, zh, en)) in zip(axes, ASKED.items()):
            ours, none = figures[made][name], figures[made + "_fresh"][name]
            layers = range(len(ours["task"]))
            axis.plot(layers, means(ours["task"]), "o-", color=COLOURS[0])
            axis.plot(layers, means(ours["control"]), "s-", color=COLOURS[1])
            axis.plot(layers, means(none["task"]), "^-", color="grey")
            lines = means(ours["control"]), means(ours["task"])
            axis.fill_between(layers, *lines, color=COLOURS[0], alpha=0.15)
            axis.axhline(ours["commonest"]["mean"], color="black", ls="--", lw=1)
            model_name = words_of_chart("小 BERT", "small BERT") if made == "zh" else "MiniLM"
            axis.set_title(f"{words_of_chart(zh, en)} ({model_name})", fontsize=9)
            axis.set_ylim(0, 1.02)
            axis.set_xticks(layers)
            axis.set_xlabel(words_of_chart("层", "layer"))
        labels = (("任务", "task"), ("对照", "control"), ("没训练过", "untrained"))
        names = [words_of_chart(*one) for one in labels]
        axes[0].legend(axes[0].get_lines()[:3], names, fontsize=7, loc="lower left")
    for name, (made, zh, en) in ASKED.items():
        ours, top = figures[made][name], list(figures[made][name]["gap"])[-1]
        gaps_of = spread(ours["gap"]["0"]), spread(ours["gap"][top])
        # Where little was added in all, the layer where it was added means nothing.
        added = spread(ours["expected"]) if ours["added"]["mean"] > 0.02 else "–"
        say(
            f"{zh}：重心 {spread(ours['centre'])}；添分的层 {added}；"
            f"选择性，第 0 层 {gaps_of[0]}，顶层 {gaps_of[1]}",
            f"{en}: centre {spread(ours['centre'])}; score added at {added}; "
            f"selectivity {gaps_of[0]} in layer 0, {gaps_of[1]} at the top",
        )
    between = [figures[f"cka_{one}"] for one in ("itself", "other_seed", "fresh")]
    maps = np.array([[means(row) for row in one.values()] for one in between])
    names = [str(n) for n in range(maps.shape[1])]
    titles = [
        text("和自己", "and itself"),
        text("和另一个种子", "and another seed"),
        text("和没训练过的", "and untrained"),
    ]
    display(attention_map(names, maps, key_tokens=names, titles=titles, columns=3))

# %% [markdown] lang="zh"
r"""
读这些图的时候记着三样对照：虚线（最常见的一类）、灰线（没训练过的网络）、橙线（只能背的题）。三样都越过了，才值得说“这一层里有”。（专名那一样，绝大多数的字哪种名字也不是，光猜“不是”就有高分，而对照的各类一样多：它的选择性只能跟自己的别层比，不能跟别的任务比。总共添得不到 2 个百分点的，添分的层不写。）

**二、四种语言，一个小 BERT。** 界面文字（`interface_texts`）：英、德、中各有多少用多少，法文只留 5 %，好让它真的小。三个编码器：没训练过；按大小抽着预训练（s = 1）；平滑了再抽（s = 0.5）。然后冻住，最后一层各词元取平均，用 7b.7 的表考八类意图。预训练没有一句命令，也没有任何翻译对。

**先猜**：平滑让法文的损失降多少？英文吃多少亏？用英文学、中文考，比没训练过的高多少？
"""

# %% [markdown] lang="en"
r"""
In these pictures, mind three things to compare with: the dashed line (the commonest class), the grey one (a network without training), and the orange one (a task that can only be memorised). Only what is above all three deserves "this layer has it". (Most characters are in no name at all, so guessing "none" scores high, while the classes of the control are equally common: the selectivity of names may be compared between layers, and not with other tasks. Where less than 2 points are added in all, the layer where they were added isn't shown.)

**Two: four languages, one small BERT.** The texts of an interface (`interface_texts`): all there is of English, German and Chinese, and 5 % of the French, so that it really is small. Three encoders: untrained; pretrained by size (s = 1); pretrained by smoothed shares (s = 0.5). Then they are frozen, the last layer is averaged over tokens, and the table of 7b.7 is made for the eight intents. In pretraining there is no command, and no pair of translations.

**Predict**: by how much does smoothing lower the loss in French? What does it cost English? Taught in English and tested on Chinese, by how much are they better than the untrained one?
"""

# %% tags=["experiment"]
transfer = stored("transfer_between_languages")
if transfer:
    verdict_of(transfer)
    figures = transfer["figures"]
    kinds = {
        "untrained": text("没训练过", "untrained"),
        "by_size": text("按大小", "by size"),
        "smoothed": text("平滑", "smoothed"),
    }
    names = list(figures["tables"]["untrained"])
    maps = np.array([[means(row) for row in figures["tables"][kind].values()] for kind in kinds])
    display(attention_map(names, maps, key_tokens=names, titles=list(kinds.values()), columns=3))
    for kind, name in kinds.items():
        say(
            f"{name}：别的语言上平均 {spread(figures['away'][kind])}（瞎猜 0.12）",
            f"{name}: {spread(figures['away'][kind])} on other languages (guessing: 0.12)",
        )
    for kind in ("by_size", "smoothed"):
        losses, shares = figures["masked"][kind], figures["shares"][kind]
        each = "  ".join(
            f"{name} {shares[name]['mean']:.1%} {spread(losses[name])}" for name in losses
        )
        say(
            f"{kinds[kind]}，份额和 [MASK] 处的损失：{each}",
            f"{kinds[kind]}, shares and losses: {each}",
        )

# %% [markdown] lang="zh"
r"""
行是学的语言，列是考的语言。看表的时候，先看“没训练过”的那一张：那里面跨语言的分，全是数字和相同的字母给的。训练过的比它多出来的，才是预训练的功劳。
"""

# %% [markdown] lang="en"
r"""
Rows are the languages that were learnt from, columns those of the test. Look at the table "untrained" first: whatever transfers there comes from digits and letters in common. Only what the others have beyond it is the merit of pretraining.
"""

# %% [markdown] lang="zh"
r"""
## 7b.9 找错练习

下面的 `patient` 做的是论文里常见的一步：“我们挑出最好的一层，报告它的准确率。”它跑得起来，给的数也像模像样，可是有**一个**毛病。别的班可能是别的毛病。

`patient(layers, labels, parts, probe)`：

| 参数 | 形状 | 说明 |
|---|---|---|
| `layers` | (L + 1, n, D) | 浮点数组，n 个例子在各层的向量，第 0 层是嵌入 |
| `labels` | (n,) | 整数数组，类别，从 0 起 |
| `parts` | (n,) | 整数数组：0 = 用来学，1 = 用来挑层，2 = 用来评；每样至少有一个例子 |
| `probe` | | `probe(features, labels, test_features)` 返回 (M, C) 的分数，最大的是它猜的类，一样高取第一类；是什么样的探针不用管 |

- 每一层先标准化：每个特征减去**学的那部分**的平均，除以**学的那部分**的标准差（除以个数，不是个数减一）；在那部分里是常数的特征，标准差当作 1。
- 每一层用学的那部分教 `probe`。挑层看的是第 1 部分的准确率，最高的一层；一样高，取最低的层。层从 0（嵌入）数起，嵌入也参加挑选。
- 报告的是挑出来的那一层在第 2 部分的准确率，和一个基线：永远猜**学的那部分**里最常见的类（一样多，取小的），在第 2 部分猜对的份额。
- **返回** `(chosen, accuracy, baseline)`：一个整数和两个数。

1. 先别盯着代码看，做实验：用小到手算得出来的例子（L = 1，D = 1，七八个例子），`probe` 自己写一个简单的，看它返回什么。两层一样好呢？挑层的那部分和评的那部分意见不一呢？
2. 从下面的名单里挑一个名字，写成字符串：`suspect = "..."`。名单里没有的名字，检查会告诉你。
3. 写出修好的 `repaired`，参数与 `patient` 相同。

| 名字 | 毛病 |
|---|---|
| `chosen_on_the_test` | 挑层看的是第 2 部分 |
| `fitted_on_two_parts` | 教探针时，第 1 部分也用上了 |
| `scaled_by_all` | 平均和标准差用了所有的例子 |
| `scaled_each_by_itself` | 每一部分按自己的平均和标准差标准化 |
| `embeddings_left_out` | 第 0 层不参加挑选 |
| `highest_of_equals` | 一样高的时候，取了最高的层 |
| `last_layer_judged` | 报告的是最后一层的准确率 |
| `commonest_of_the_test` | 基线的类是第 2 部分里最常见的 |

说对名字得 1 分，修好得 5 分。
"""

# %% [markdown] lang="en"
r"""
## 7b.9 Debugging drill

`patient` below does what many papers do: "we choose the best layer and report its accuracy". It runs, and its figures look plausible, but it has **one** fault. Other classes may get other faults.

`patient(layers, labels, parts, probe)`:

| Argument | Shape | Notes |
|---|---|---|
| `layers` | (L + 1, n, D) | float array, the vectors of n examples in all layers; layer 0 are the embeddings |
| `labels` | (n,) | int array, classes from 0 on |
| `parts` | (n,) | int array: 0 = to learn from, 1 = to choose the layer by, 2 = to judge by; there is at least one example of each |
| `probe` | | `probe(features, labels, test_features)` returns scores of shape (M, C); the largest is its guess, of equals the first class; what kind of probe it is doesn't matter |

- Each layer is standardised first: from every feature its mean over **the part to learn from** is taken off, and it is divided by its standard deviation over **the part to learn from** (dividing by their number, not by one less); a feature that is constant there keeps 1 as its standard deviation.
- In each layer `probe` learns from the part to learn from. The layer is chosen by accuracy on part 1, the highest; of equal ones the lowest layer. Layers are counted from 0, the embeddings, which may be chosen, too.
- What is reported is the accuracy of the chosen layer on part 2, and a baseline: always guess the commonest class of **the part to learn from** (of equals the smallest), and see how often that is right on part 2.
- **Returns** `(chosen, accuracy, baseline)`: an int and two numbers.

1. Don't stare at the code first; experiment with something small enough to do by hand (L = 1, D = 1, seven or eight examples, a simple `probe` of your own), and see what it says. What if two layers are equally good? What if the parts to choose by and to judge by disagree?
2. Pick one name from the list below and write it as a string: `suspect = "..."`. If the name isn't in the list, the check tells you.
3. Write the repaired `repaired`, with the arguments of `patient`.

| Name | Fault |
|---|---|
| `chosen_on_the_test` | the layer is chosen by part 2 |
| `fitted_on_two_parts` | the probe learns from part 1, too |
| `scaled_by_all` | means and standard deviations are those of all examples |
| `scaled_each_by_itself` | each part is standardised by its own mean and standard deviation |
| `embeddings_left_out` | layer 0 can't be chosen |
| `highest_of_equals` | of equally good layers the highest is taken |
| `last_layer_judged` | the accuracy reported is that of the last layer |
| `commonest_of_the_test` | the class of the baseline is the commonest of part 2 |

Naming the fault gives 1 point, the repair 5.
"""

# %% exercise="drill_ch07b_layers_and_languages"
from drill import patient, suspect, repaired

# %% check="drill_ch07b_layers_and_languages"
check("drill_ch07b_layers_and_languages", (suspect, repaired))

# %% [markdown] lang="zh"
r"""
## 7b.10 同样的东西，在 KerasHub 里

KerasHub（老代码里叫 `keras_nlp`）的 `BertBackbone` 只给最后的状态，可它是一个函数式模型：各层的输出都有名字，交给 `keras.Model` 就全拿到了。下面做一个很小的，把同样的参数读进课程库，各层的状态应当一样，探针的分数当然也一样。（没装 KerasHub 就跳过；第一次导入要几秒钟。）
"""

# %% [markdown] lang="en"
r"""
## 7b.10 The same thing in KerasHub

`BertBackbone` of KerasHub (`keras_nlp` in old code) returns the last states only; but it is a functional model, in which the output of each layer can be had by name: handed to `keras.Model` they are all there. Below a tiny one is made and its parameters are read into the library of the course; states should be the same in every layer, and so should a probe's scores. (Without KerasHub the cell is skipped; the first import takes a few seconds.)
"""

# %% tags=["experiment"]
try:
    import keras_hub
except ImportError:
    keras_hub = None
    say("没有安装 KerasHub，跳过它。", "KerasHub is not installed; skipping it.")
if keras_hub is not None and ready("probe_layer", "linear_cka"):
    from bert_keras.checkpoints import build_backbone as backbone_of
    from bert_keras.checkpoints import from_kerashub

    keras.utils.set_random_seed(0)
    sizes = {"num_layers": 2, "num_heads": 3, "hidden_dim": 24, "intermediate_dim": 48}
    theirs = keras_hub.models.BertBackbone(30, **sizes, dropout=0.0, max_sequence_length=8)
    rng = np.random.default_rng(0)
    for variable in theirs.weights:  # fresh weights are so small that layers hardly differ
        variable.assign(rng.normal(scale=0.5, size=variable.shape))
    ours = backbone_of(from_kerashub(theirs), dropout=0.0)
    ids = rng.integers(1, 30, size=(40, 8)).astype("int32")
    batch = {
        "token_ids": ids,
        "segment_ids": np.zeros_like(ids),
        "padding_mask": np.ones(ids.shape, bool),
    }
    names = ["embeddings_layer_norm", *(f"transformer_layer_{n}" for n in range(2))]
    inside = keras.Model(theirs.input, [theirs.get_layer(name).output for name in names])
    some = inside({**batch, "padding_mask": batch["padding_mask"].astype("int32")})
    mine = ours.all_states(batch)["hidden_states"]
    right = np.arange(40) % 3  # any labels will do
    for layer, (a, b) in enumerate(zip(some, mine)):
        a, b = (np.asarray(one).reshape(40, -1) for one in (a, b))
        scores = [probe_layer(x[:30], right[:30], x[30:], 3) for x in (a, b)]
        say(
            f"第 {layer} 层：状态最多差 {np.abs(a - b).max():.0e}，探针的分数最多差 "
            f"{np.abs(scores[0] - scores[1]).max():.0e}，CKA {linear_cka(a, b):.4f}",
            f"layer {layer}: states differ by {np.abs(a - b).max():.0e}, scores of a probe by "
            f"{np.abs(scores[0] - scores[1]).max():.0e}, CKA {linear_cka(a, b):.4f}",
        )

# %% [markdown] lang="zh"
r"""
## 7b.11 常见误解

先逐句判断，再看数字。

1. 探针在第 l 层的准确率，就是第 l 层知道多少。
2. 没训练过的网络，各层是一团噪声。
3. 探针读得出来的，模型就在用。
4. BERT 是一条流水线：低层管句法，高层管语义。
5. 两层的 CKA 接近 1，就可以互相替换。
"""

# %% [markdown] lang="en"
r"""
## 7b.11 Myth box

Judge each sentence first, then look at the numbers.

1. The accuracy of a probe on layer l is how much layer l knows.
2. The layers of a network without training are noise.
3. What a probe can read off, the model uses.
4. BERT is a pipeline: syntax in low layers, meaning in high ones.
5. Two layers with a CKA near 1 can stand in for each other.
"""

# %% tags=["experiment"]
if gaps is not None:
    say(
        f"1. 第 0 层：槽 {gaps[0][0]:.2f}，毫无道理的对照 {gaps[0][1]:.2f}",
        f"1. layer 0: slot {gaps[0][0]:.2f}, senseless control {gaps[0][1]:.2f}",
    )
if by_task:
    ours, none, bar = by_task["intent"]
    say(
        f"2. 没训练过，第 {LAYERS} 层的意图 {none[-1]:.2f}（最常见的一类 {bar:.2f}，训练过 {ours[-1]:.2f}）",
        f"2. untrained, intent in layer {LAYERS}: {none[-1]:.2f} (commonest class {bar:.2f}, "
        f"trained {ours[-1]:.2f})",
    )
if by_task:
    # Erase what a linear reader uses for positions, and ask both tasks again.
    top, (labels, _, classes) = trained_states[-1].astype("float64"), asked["position"]
    both = ("position", "intent")
    found = [[accuracy_of(top, *asked[name]) for name in both]]
    unit = np.concatenate([np.zeros((1, top.shape[1])), np.eye(top.shape[1])])
    less, erased = top, 0
    for _ in range(8):
        scores = probe_layer(less[train], labels[train], unit, classes)
        basis = np.linalg.svd((scores[1:] - scores[0]).T, full_matrices=False)[2][: classes - 1]
        less, erased = less - less @ basis.T @ basis, erased + len(basis)
    lots = np.linalg.qr(np.random.default_rng(0).normal(size=(top.shape[1], erased)))[0]
    for some in (less, top - top @ lots @ lots.T):
        found.append([accuracy_of(some, *asked[name]) for name in both])
    place, aim = zip(*found)
    say(
        f"3. 第 {LAYERS} 层，抹掉读位置的 {erased} 个方向：位置 {place[0]:.2f} → {place[1]:.2f}，"
        f"意图 {aim[0]:.2f} → {aim[1]:.2f}；抹掉同样多的随机方向：位置 {place[2]:.2f}，意图 {aim[2]:.2f}",
        f"3. layer {LAYERS} without {erased} directions that tell position: position "
        f"{place[0]:.2f} → {place[1]:.2f}, intent {aim[0]:.2f} → {aim[1]:.2f}; without as many "
        f"random ones: position {place[2]:.2f}, intent {aim[2]:.2f}",
    )
if mixes:
    for name, (_, centre) in mixes.items():
        scores = cumulative[name]
        if scores[-1] > scores[0]:  # otherwise there is nothing to place
            added = expected_layer(scores)
            say(
                f"4. {NAMES[name][0]}：重心 {centre:.2f}，平均在第 {added:.2f} 层添分",
                f"4. {name}: centre {centre:.2f}, added at layer {added:.2f} on average",
            )
if alike is not None:
    few = {name: array[:40] for name, array in spoken.items()}
    real = few["padding_mask"]
    hidden = model.all_states(few)["hidden_states"]
    ends = {}
    for name, x in (("turned", np.asarray(hidden[3]) @ turn), ("layer_2", hidden[2])):
        x = keras.ops.convert_to_tensor(np.asarray(x, "float32"))
        for block in model.encoder_blocks[3:]:
            x, _ = block(x, attention_mask=real[:, None, :])
        ends[name] = np.asarray(x)[real]
    final = np.asarray(hidden[-1])[real]

    def cosine(a, b):
        sums = np.sum(a * b, axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        return float(sums.mean())

    say(
        f"5. 第 3 层换成转过的第 3 层（CKA 1.00）：最后的状态和原来的余弦 {cosine(ends['turned'], final):.2f}；"
        f"换成第 2 层（CKA {alike[0][3][2]:.2f}）：{cosine(ends['layer_2'], final):.2f}",
        f"5. layer 3 turned in place of layer 3 (CKA 1.00): cosine of the last states with what "
        f"they were {cosine(ends['turned'], final):.2f}; layer 2 in its place "
        f"(CKA {alike[0][3][2]:.2f}): {cosine(ends['layer_2'], final):.2f}",
    )

# %% [markdown] lang="zh"
r"""
**揭晓。**

1. **不是。** 第 0 层上，毫无道理的题比槽考得还好。准确率里有层的份，也有探针的份；减去对照，再减去没训练过的网络，剩下的才说得上是层的。
2. **不是。** 随机的注意力照样把词掺在一起，意图读出了七成。它没学过什么，可是它**混合**过。
3. **不一定。** 位置在顶层还读得出一半多；把读位置用的那些方向抹掉，位置掉下去一大截，读意图的探针却几乎不受影响，跟抹掉同样多的随机方向差不多。读得出的东西，可以只是搭车上来的。（严格地说，这里看的是另一个探针，不是模型自己的输出；对模型自己做同样的事，叫失忆探针，见 Elazar 等人 2021。）
4. **看怎么量。** 重心排成一条线；添的分挤在一起。Tenney 等人说的是 BERT-base 和 BERT-large、八种标注任务的平均；MiniLM 的三样东西，一样也不必照着来。
5. **不行。** CKA 看不出转动，可是下一层的权重认死了坐标：转过的第 3 层和第 3 层 CKA 是 1，接上去却完全走了样；CKA 低一点的第 2 层，接上去反而好得多，因为旁路让相邻两层共用一套坐标。
"""

# %% [markdown] lang="en"
r"""
**Verdict.**

1. **No.** On layer 0 a senseless task does better than slots. In an accuracy there is something of the layer and something of the probe; take off the control, and take off the network without training, and what is left is the layer's.
2. **No.** Random attention mixes words as well as any, and 70 % of the intents can be read off. It has learnt nothing, but it has **mixed**.
3. **Not necessarily.** In the top layer position can still be told more than half of the time; with the directions erased that tell it, position falls a long way while the probe for intents hardly suffers, much as if as many random directions were erased. What can be read off may just have come along for the ride. (Strictly, that is another probe and not the model's own output; to do the same to the model is called amnesic probing, Elazar et al., 2021.)
4. **It depends on the measure.** The centres form a line; the layers where score was added don't. Tenney et al. speak of BERT-base and BERT-large and of means over eight annotated tasks; three things in MiniLM needn't follow them.
5. **No.** CKA doesn't see a turn, but the weights of the next layer go by coordinates: layer 3 turned has a CKA of 1 with layer 3, and put in its place it leads somewhere else altogether; layer 2, with a lower CKA, does far better in its place, because the bypass lets neighbouring layers share coordinates.
"""

# %% [markdown] lang="zh" exercise="written_ch07b_layers_and_languages"
r"""
## 7b.12 简答题

一篇论文写道：“我们在某个 BERT 的第 5 层上训练了一个两层、隐藏层一千维的探针，词性的准确率 96 %，是各层里最高的。可见 BERT 的第 5 层懂词性，模型就是靠它来理解句子的。”

用 150 字左右回答：这 96 % 能说明什么、不能说明什么？引用本章的两个数字（至少一个是你**自己跑出来的**）；要支持“第 5 层懂词性”和“模型靠它”，你会要求作者各补一样什么测量，跟什么比？

这道题由老师评阅，不计入 40 分。好的回答里有两个数字（各说明什么）、两样测量（各有对照）和一句话说清“读得出”与“用得着”的区别。
"""

# %% [markdown] lang="en" exercise="written_ch07b_layers_and_languages"
r"""
## 7b.12 Written question

A paper says: "We trained a probe of two layers with a thousand hidden units on layer 5 of some BERT. It tells parts of speech with 96 % accuracy, more than on any other layer. So layer 5 of BERT knows parts of speech, and the model relies on it to understand sentences."

Answer in about 100 words: what do these 96 % show, and what don't they? Quote two numbers of this notebook (at least one that **you ran yourself**). And which measurement would you ask for to support "layer 5 knows parts of speech", and which for "the model relies on it", each compared with what?

Your teacher reads this one; it is not part of the 40 points. A good answer has two numbers (and what each of them shows), two measurements (each with something to compare) and one sentence on the difference between readable and used.
"""

# %% [markdown] lang="zh" tags=["instructor"]
r"""
**评分标准（只有教师看得到）**

1. 看出 96 % 没有对照：大探针会背（引用 7b.3 第 0 层的对照），没训练过的网络也有分（引用 7b.2 的灰线），还要减去永远猜最常见一类的分；第 5 层是在哪部分上挑的（7b.9）。
2. “懂词性”要求的测量：线性探针、选择性，跟没训练过的网络的同一层和第 0 层比；最好再看这一层新添了多少。
3. “模型靠它”要求的测量：把读词性的方向抹掉（或改掉），看模型自己的输出变不变，跟抹掉同样多的随机方向比；说清楚读得出不等于用得着。
"""

# %% [markdown] lang="en" tags=["instructor"]
r"""
**Rubric (seen by teachers only)**

1. Sees that 96 % has nothing beside it: a large probe learns by heart (quotes the control of layer 0 in 7b.3), a network without training scores, too (quotes the grey line of 7b.2), and so does always guessing the commonest class; asks by which part layer 5 was chosen (7b.9).
2. For "knows parts of speech": a linear probe and its selectivity, compared with the same layer of a network without training and with layer 0; better still, what this layer adds.
3. For "relies on it": erase (or change) the directions that tell parts of speech, and see whether the model's own output changes, compared with erasing as many random directions; says that readable isn't used.
"""

# %% [markdown] lang="zh"
r"""
## 7b.13 小结：半页带走

| 量什么 | 怎么量 | 当心 |
|---|---|---|
| 读不读得出 | 岭回归探针，$(X^\top X + \lambda I)^{-1} X^\top Y$ | 平均只用学的部分；跟没训练过的网络比 |
| 是不是背的 | 选择性：任务 − 对照 | 词少、维数多，什么都背得下 |
| 落在哪几层 | softmax 份额的重心 | 份额大不等于有新东西 |
| 哪一层添的 | $\sum_l l \, \Delta_l / \sum_l \Delta_l$ | 总共添得很少时，这个数不稳 |
| 像不像 | CKA，比例子之间的远近 | 转动看不出来；像不等于能替换 |
| 小语种 | $p^s$ 再归一 | s 没有道理可讲，只能试 |
| 跨语言 | K × K 的表 | 先减去相同的写法给的分 |

**四条规矩。** 没训练过的网络摆在旁边；只能背的题也摆在旁边；挑层的和评的分开；读得出不等于用得着。
"""

# %% [markdown] lang="en"
r"""
## 7b.13 Half a page to take with you

| What | How | Beware |
|---|---|---|
| can it be read off? | a ridge probe, $(X^\top X + \lambda I)^{-1} X^\top Y$ | means of the training part only; compare with a network without training |
| was it memorised? | selectivity: task − control | with few words and many dimensions anything can be memorised |
| in which layers? | centre of shares by softmax | a large share needn't be anything new |
| where was it added? | $\sum_l l \, \Delta_l / \sum_l \Delta_l$ | shaky where little is added in all |
| how alike? | CKA, by distances between examples | doesn't see a turn; alike isn't exchangeable |
| small languages | $p^s$, shared out anew | no reasoning tells s, only trying |
| transfer | a table, K × K | take off what common spelling gives |

**Four rules.** A network without training stands beside it; so does a task that can only be memorised; one part chooses the layer and another judges; and readable isn't used.
"""

# %% [markdown] lang="zh"
r"""
## 7b.14 接下来

- **7c** 查它靠什么答对，又会被什么骗倒。
- **第 8 章** 把模型变小，看看变小以后，还读得出什么。
- 想用自己的检查点再做一遍：`all_states` 给出每一层，其余都是本章的函数。

想读原文：[Understanding intermediate layers using linear classifier probes](https://arxiv.org/abs/1610.01644)（Alain 和 Bengio，2016）；[Designing and Interpreting Probes with Control Tasks](https://arxiv.org/abs/1909.03368)（Hewitt 和 Liang，2019）；[BERT Rediscovers the Classical NLP Pipeline](https://arxiv.org/abs/1905.05950)（Tenney 等人，2019）；[Similarity of Neural Network Representations Revisited](https://arxiv.org/abs/1905.00414)（Kornblith 等人，2019）；[Amnesic Probing](https://arxiv.org/abs/2006.00995)（Elazar 等人，2021）；[How multilingual is Multilingual BERT?](https://arxiv.org/abs/1906.01502)（Pires 等人，2019）；[Cross-lingual Language Model Pretraining](https://arxiv.org/abs/1901.07291)（Conneau 和 Lample，2019）。
"""

# %% [markdown] lang="en"
r"""
## 7b.14 Where next

- **7c** asks by what a model answers rightly, and by what it is fooled.
- **Chapter 8** makes models smaller; and you may ask what can still be read off them.
- To do it all again with a checkpoint of yours: `all_states` gives every layer, and the rest are the functions of this notebook.

For the sources: [Understanding intermediate layers using linear classifier probes](https://arxiv.org/abs/1610.01644) (Alain and Bengio, 2016); [Designing and Interpreting Probes with Control Tasks](https://arxiv.org/abs/1909.03368) (Hewitt and Liang, 2019); [BERT Rediscovers the Classical NLP Pipeline](https://arxiv.org/abs/1905.05950) (Tenney et al., 2019); [Similarity of Neural Network Representations Revisited](https://arxiv.org/abs/1905.00414) (Kornblith et al., 2019); [Amnesic Probing](https://arxiv.org/abs/2006.00995) (Elazar et al., 2021); [How multilingual is Multilingual BERT?](https://arxiv.org/abs/1906.01502) (Pires et al., 2019); [Cross-lingual Language Model Pretraining](https://arxiv.org/abs/1901.07291) (Conneau and Lample, 2019).
"""
