"""What people run into once, and what to tell them. Nothing here says how to solve an exercise.

A table of patterns, looked through from top to bottom; `mishaps` does the telling.
"""

from autograder.messages import Text

_IN_A_GRAPH = Text(
    "这里用了 NumPy：训练时先建计算图，图里的张量还没有数值，NumPy 读不了。"
    "请用 keras.ops 里的函数。",
    "NumPy is at work here. Training builds a graph first, and its tensors have no values yet that "
    "NumPy could read; use the functions of keras.ops.",
)
_A_NUMBER = Text(
    "这里要从张量里取出一个普通的数（float、int）：训练时先建计算图，那时还没有数值。",
    "A plain number is taken out of a tensor here (float or int): training builds a graph "
    "first, and its tensors have no values yet.",
)
_ROW_BY_ROW = Text(
    "这里用 for（或拆包）一项一项地走过张量：训练时先建计算图，那时还不知道有几项。"
    "请对整个张量一次算完。",
    "A for loop (or an unpacking) walks through a tensor here: training builds a graph first, when "
    "the number of rows isn't known. Compute on the whole tensor at once.",
)
BATCH = Text(
    "训练时先建计算图，批次大小到运行时才知道，那时 x.shape[0] 是 None；"
    "ops.shape 给的长度那时也能用，reshape 里有一个轴可以写 -1。",
    "In training a graph is built first, and the batch size is known only at run time: x.shape[0] "
    "is None until then. A size that ops.shape gives works there, too, and so does -1 in a "
    "reshape, for one axis.",
)
ARGUMENTS = Text(
    "调用时给的参数，个数或名字和那个函数对不上。",
    "The arguments given in a call don't fit the function, in number or in name.",
)
LEAVE_THEM = Text(
    "（题目给的参数表请不要改。）", "(Leave the argument list that the exercise gives as it is.)"
)

# Pattern of an error in one line; what to say; whether the shapes on that line say more.
KNOWN = (
    (r"symbolic tf\.Tensor.*numpy array|TracerArrayConversion", _IN_A_GRAPH, False),
    (r"Symbolic\w*Tensor' object has no attribute 'numpy'", _IN_A_GRAPH, False),
    (r"(?:int|float)\(\) argument must .*Symbolic", _A_NUMBER, False),
    (r"Iterating over a symbolic|[Cc]annot iterate over|unknown first dim", _ROW_BY_ROW, False),
    (
        r"len is not well defined for a symbolic|Failed to convert elements of .*None|"
        r"NoneType.*as_list|"
        r"Attempt to convert a value \((?!None\)).*\bNone\b.*\) with an unsupported type",
        BATCH,
        False,
    ),
    (
        r"`?target\.ndim|`?target`? and `?output`? must have the same",
        Text(
            "损失函数拿到的两样东西对不上：先给目标（target），后给输出（output），次序对吗？"
            "每个目标是一个编号，还是一整行？",
            "The two things given to the loss don't fit: does the target come first and the output "
            "second? And is each target one id, or a whole row?",
        ),
        True,
    ),
    (
        r"ConcatOp|all the input array dim|concatenat.*(?:rank|same shape|dimension)",
        Text(
            "拼接时，各个张量的轴数要相同，除了拼的那个轴，其余各轴的长度也要相同。",
            "What is concatenated has to have the same number of axes, and the same size along all "
            "of them but the one it is joined along.",
        ),
        True,
    ),
    (
        r"In\[\d\] ndims must be >= 2",
        Text(
            "@ 的两边都至少要有两个轴，这里有一边只有一个。",
            "@ wants at least two axes on either side, and here one side has a single one.",
        ),
        True,
    ),
    (
        r"axis -?\d+ is out of bounds|to have rank \d+|found ndim=|expected (?:min_)?ndim|"
        r"must have rank|must be rank|too many indices|Index out of range using input dim",
        Text(
            "轴的个数不对：把它要的轴和你给的轴，从前往后一个一个地对。",
            "The number of axes isn't what is asked for there: put a name to each axis of what you "
            "give, from first to last.",
        ),
        True,
    ),
    (
        r"Cannot convert '\d+' to a shape",
        Text(
            "形状要写成元组，只有一个轴也一样：(D) 只是一个数，(D,) 才是形状，逗号不能少。",
            "A shape is a tuple even if there is one axis only: (D) is a mere number and (D,) a "
            "shape; the comma makes it.",
        ),
        False,
    ),
    (
        r"Shapes of all inputs must match|Cannot convert '\(\(.*\),?\)' to a shape",
        Text(
            "几个形状不同的张量被当成了一个。多半是：这里调用的东西返回不止一样（注意力返回一对：输出和"
            "权重），要先拆开再用。",
            "Several tensors of different shapes are taken for one. Most likely something that is "
            "called here returns more than one thing (attention returns a pair, output and "
            "weights): take it apart first.",
        ),
        False,
    ),
    (
        r"label value of -\d+ .*outside the valid range",
        Text(
            "负数不是一个类：算交叉熵之前，先给不判的位置换上任意一个合法的编号，反正它们不算进去。",
            "A negative number is no class. Before the cross-entropy give such places any id that "
            "is legal: they don't count afterwards anyway.",
        ),
        False,
    ),
    (
        r"invalid literal for int\(\)",
        Text(
            "int(...) 收到的不全是数字。先看看这段文字是不是你以为的那一种，比如用 .isdigit()，"
            "或者整段比较。",
            "int(...) was given text that isn't all digits. First see whether it is the text that "
            "you take it for, by .isdigit() say, or by comparing all of it.",
        ),
        False,
    ),
    (
        r"[Cc]annot reshape|Input to reshape is a tensor",
        Text(
            "reshape 前后，元素的总数必须一样：把两边各轴的长度分别乘起来，比一比。",
            "reshape keeps the number of elements: multiply the sizes on either side and compare.",
        ),
        True,
    ),
    (
        r"Matrix size-incompatible|In\[0\].*In\[1\]|Incompatible shapes|"
        r"must be (?:broadcastable|equal|compatible)|not broadcastable|"
        r"could not be broadcast|incompatible shapes|Dimensions? .* must be",
        Text(
            "两个张量的形状对不上。把它们的 .shape 打印出来，一个轴一个轴地比。",
            "The shapes of two tensors don't fit. Print their .shape and compare axis by axis.",
        ),
        True,
    ),
    (
        r"Using a symbolic .* as a Python `?bool",
        Text(
            "Python 的 if、and、or、not、max、min 当场就要一个真假值，而训练时先建计算图，图里的"
            "张量还没有数值。想问“给没给”，就拿它和 None 比；要按数值挑，用 ops.where、ops.maximum "
            "这样的函数。",
            "Python's if, and, or, not, max and min want a truth value at once, but training "
            "builds a graph first, and its tensors have no values yet. To ask whether one was "
            "given at all, compare it with None; to choose by value, use functions such as "
            "ops.where or ops.maximum.",
        ),
        False,
    ),
    (
        r"truth value of (?:an array|a tensor)|truth value .* is ambiguous",
        Text(
            "Python 的 if、and、or、not、max、min 都要一个真假值，而张量里有许多个。想问“给没给”，"
            "就拿它和 None 比；要一个元素一个元素地比，ops 里有同样用处的函数。",
            "Python's if, and, or, not, max and min want one truth value, and a tensor has many. "
            "To ask whether one was given at all, compare it with None; to compare element by "
            "element, ops has functions.",
        ),
        False,
    ),
    (
        r"expected to be an? (?:float|half|double|int\d+|bool) tensor but is|"
        r"attr 'T' of bool|boolean (?:subtract|negative)|does not support boolean|"
        r"must have the same dtype|(?:incompatible|mismatched) d?types?|dtype .* does not match|"
        r"Tensor conversion requested dtype",
        Text(
            "两边的类型不同，或者布尔值不能这样算：先用 ops.cast 转换类型。",
            "The two sides are of different types, or booleans can't be computed with like that: "
            "ops.cast changes a type.",
        ),
        False,
    ),
    (
        r"Integers to negative integer powers|"
        r"Cannot convert \S*\.\d+ to EagerTensor of dtype u?int",
        Text(
            "整数张量不能和小数一起算，也不能取负的幂：先用 ops.cast 换成浮点数。",
            "A tensor of integers can't be combined with a fraction or raised to a negative power: "
            "ops.cast makes it float first.",
        ),
        False,
    ),
    (
        r"'float' object cannot be interpreted as an integer|Value for attr 'Tshape' of float|"
        r"Cannot convert \S*\.\d+ to .*int|expected int.* got .*float|must be an? int",
        Text(
            "形状要用整数：/ 得到的是小数，// 才得到整数。",
            "Shapes are whole numbers: / gives a fraction, // gives an integer.",
        ),
        False,
    ),
    (
        r"only 0-dimensional arrays|only (?:size|length)-1 arrays|only integer scalar arrays|"
        r"only integer tensors of a single element|array of size 1|must be a scalar, not shape",
        Text(
            "这里要的是单独一个数，得到的却是一整个数组。",
            "A single number is wanted there, and it gets a whole array.",
        ),
        True,
    ),
    (
        r"has no attribute '(?:T|mT|permute)'",
        Text(
            "张量没有 .T；交换轴的函数在 ops 里：transpose、swapaxes。",
            "Tensors have no .T; what swaps axes is in ops: transpose, swapaxes.",
        ),
        False,
    ),
    (
        r"has no attribute 'astype'",
        Text("张量没有 .astype；改类型用 ops.cast。", "Tensors have no .astype; ops.cast does it."),
        False,
    ),
    (
        r"Tensor'? object has no attribute '(?:transpose|reshape|swapaxes|dot|sum|mean|size|ravel|"
        r"max|min|any|all|argmax|squeeze|repeat|std|var|prod|cumsum|clip|round|copy)'",
        Text(
            "张量没有这个方法；ops 里有同名的函数。",
            "Tensors don't have this method; ops has a function of that name.",
        ),
        False,
    ),
    (
        r"does not support item assignment",
        Text(
            "张量造好以后，里面的元素不能再改：请算出一个新的张量。",
            "The elements of a tensor can't be changed once it is made: compute a new tensor.",
        ),
        False,
    ),
    (
        r"has no attribute '_unique_id'",
        Text(
            "优化器要的是参数，拿到的却是普通的张量：两串东西的次序对吗？",
            "An optimizer wants weights there and got mere tensors: are the two lists in order?",
        ),
        False,
    ),
    (
        r"No gradients provided",
        Text(
            "没有一个参数得到梯度：损失不是从这些参数算出来的，或者中途离开了张量。",
            "Not one weight has a gradient: the loss wasn't computed from these weights, or some "
            "step on the way leaves the tensors.",
        ),
        False,
    ),
    (
        r"'(?:float|int)' object is not callable",
        Text(
            "被当作函数调用的是一个数：看看 __init__ 里那一层叫什么名字。",
            "What is called there is a number: look up the layer's name in __init__.",
        ),
        False,
    ),
    (
        r"NoneType' object has no attribute '(?:append|extend|insert|sort|reverse|update|add)'",
        Text(
            "append、extend、sort 这些方法就地改动列表，返回的是 None：后面不能再接着点，它们的结果"
            "也不要赋给变量。",
            "append, extend, sort and the like change the list in place and return None: nothing "
            "can be chained to them, and their result isn't worth a name.",
        ),
        False,
    ),
    (
        r"type_value",
        Text(
            "keras.random 里的函数，seed 前面还有 dtype 这个参数：写成 seed=seed。",
            "Functions of keras.random have a parameter dtype before seed: write seed=seed.",
        ),
        False,
    ),
    (
        r"should not modify its Python input arguments",
        Text(
            "传进来的列表被改动了：请用自己新建的列表。",
            "A list that was handed in is changed: work on a list of your own.",
        ),
        False,
    ),
    (
        r"cannot access local variable|local variable '\w+' referenced before assignment",
        Text(
            "这个变量只在前面的循环或分支里才得到值；循环一遍也没走（比如列表是空的），或者没进那个"
            "分支，它就还不存在。请在循环或分支之前先给它一个值。",
            "That name is only given a value inside a loop or a branch above; where the loop never "
            "runs (over an empty list, say) or the branch isn't taken, it doesn't exist yet. Give "
            "it a value before.",
        ),
        False,
    ),
    (
        r"'(?:function|method|builtin_function_or_method)' object is not subscriptable",
        Text(
            "方括号跟在了一个函数后面：调用函数用圆括号。",
            "A function is followed by square brackets there: to call it takes round ones.",
        ),
        False,
    ),
    (
        r"'(?!NoneType|int|float|bool|type)\w+' object is not subscriptable",
        Text(
            '这样东西不能用方括号取：它的属性用点来读，写成 x.名字，不是 x["名字"]。',
            "Square brackets don't work on that object: what it holds is read with a dot, as "
            'x.name and not as x["name"].',
        ),
        False,
    ),
    (
        r"'(?:TrackedList|list)' object has no attribute '(?:shape|dtype)'|"
        r"'str' object has no attribute 'base_dtype'",
        Text(
            "一个列表不是一个张量。里面是数或张量，就先用 ops.stack 叠起来；是层的参数，就建一个"
            "多一条轴的参数。",
            "A list isn't one tensor. Numbers or tensors in it: ops.stack makes one of them. "
            "Weights of a layer: make one weight with an axis more.",
        ),
        False,
    ),
    (
        r"'(?!\w*(?:Tensor|Variable)'|NoneType)[A-Z]\w*' object has no attribute '[a-z]",
        Text(
            "这一层没有这个属性。构造函数里给它赋值了吗？要写成 self.名字 = …，不写 self. 的只是"
            "局部变量；两处的拼写也要一致。",
            "The layer has no such attribute. Does the constructor set it, as self.name = …? "
            "Without self. it is a local variable only; and both spellings have to agree.",
        ),
        False,
    ),
    (
        r"forgot to call `?super\(\)|before .*super\(\).*__init__|has no attribute '_tracker'",
        Text(
            "__init__ 里先要调用 super().__init__(...)，层才准备好，之后才能给 self 加东西。",
            "super().__init__(...) comes first in __init__: only after it can a layer be given "
            "anything.",
        ),
        False,
    ),
    (
        r"cannot add new elements of state",
        Text(
            "层第一次被调用以后，就不能再添参数了：参数在 build 里建。",
            "Once a layer has been called nothing can be added to it: weights are made in build.",
        ),
        False,
    ),
    (
        r"Could not interpret initializer",
        Text(
            "initializer 要的是一个名字（字符串）或 keras.initializers 里的一个对象，"
            "不是数，也不是张量。",
            "An initializer is a name (a string) or an object of keras.initializers, and neither a "
            "number nor a tensor.",
        ),
        False,
    ),
    (
        r"missing \d+ required|takes (?:from )?\d+ .*positional|unexpected keyword argument|"
        r"multiple values for argument",
        ARGUMENTS,
        False,
    ),
    (
        r"attr 'T(?:indices|i|idx)' of (?:float|double|half|bool)|indices must be integers|"
        r"arrays used as indices must be of integer",
        Text(
            "下标和编号要用整数，这里给的不是。",
            "Indices and ids have to be whole numbers, and these aren't.",
        ),
        False,
    ),
    (
        r"unhashable type",
        Text(
            "dict、set、Counter 的键不能是列表或数组：要用不会再变的东西，比如元组、数、字符串。",
            "Keys of a dict, set or Counter can't be lists or arrays: they have to be things that "
            "never change, such as tuples, numbers or strings.",
        ),
        False,
    ),
    (
        r"index out of range|is out of bounds|slice index .* out of",
        Text(
            "下标超出了长度：数一数这个轴（或列表）有几项，最后一项的下标是几。",
            "An index is beyond the end: how many items has that axis or list, and which index has "
            "the last?",
        ),
        True,
    ),
    (
        r"NoneType|None values not supported|Attempt to convert a value \(None\)",
        Text(
            "有一步得到了 None：是不是哪个函数忘了写 return？",
            "One step gave None: does some function lack its return?",
        ),
        False,
    ),
)
