using System.Diagnostics;
using System.Globalization;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// The language of faults: <c>kill NODE</c>, <c>stop NODE</c>, <c>freeze NODE</c>, <c>power NODE</c>, <c>fill NODE</c>,
/// <c>throttle NODE</c>,
/// <c>damage NODE FILES bits=N</c>, <c>truncate NODE FILES</c>, <c>leave NODE</c>, <c>join NODE</c>, <c>cut A-B</c>,
/// <c>partition A|B,C</c>, <c>partition A>B</c>, <c>partition clients|NODE</c>,
/// <c>slow A-B delay=LAW rate=RATE loss=SHARE</c>, <c>mix</c>, each with <c>at TIME</c> and perhaps <c>for TIME</c>. A
/// node may be several with commas, <c>any</c>, <c>majority</c> or <c>all</c>, a link <c>any</c>, a time
/// <c>U(TIME,TIME)</c>.
/// </summary>
internal static class FaultText
{
    private const string AllowedNodes = "a node, several with commas, any, majority or all";
    private const string AllowedFiles = "a pattern of files in the node's directory, such as *.db";
    private const int MostBits = 1_000_000;

    private static readonly string s_forms =
        "kill|stop|freeze|power|fill|throttle|leave NODE, damage NODE FILES bits=N, truncate NODE FILES, join NODE, "
        + "cut A-B, partition A|B,C, partition A>B, partition clients|NODE, slow A-B delay=LAW rate=RATE loss=SHARE, "
        + "mix, with 'at TIME' and perhaps 'for TIME' behind, such as 'kill b1 at 20s for 10s'";

    /// <summary>Reads a fault.</summary>
    /// <param name="text">The text.</param>
    /// <param name="where">The place of the text, for the message: an option, or a file with a key.</param>
    /// <exception cref="InputException">It is no fault.</exception>
    public static ClusterFault Parse(string text, string where)
    {
        try
        {
            return Read(text);
        }
        catch (FormatException wrong)
        {
            throw new InputException($"{where}: '{text}' is not a fault: {wrong.Message}.", wrong);
        }
    }

    /// <summary>Reads a fault.</summary>
    /// <exception cref="FormatException">It is no fault; the message is part of a sentence.</exception>
    internal static ClusterFault Read(string text)
    {
        var words = new Queue<string>(text.Split((char[])[' ', '\t'], StringSplitOptions.RemoveEmptyEntries));
        var verb = Next(words, s_forms);
        var kind = FaultKinds.All.FirstOrDefault(kind => kind.Verb() == verb);
        if (kind == FaultKind.None)
            throw new FormatException($"there is no fault '{verb}'; allowed: {s_forms}");
        var fault = Targets(new ClusterFault { Kind = kind }, words);
        if (kind == FaultKind.Slow)
            fault = Slow(fault, words);
        else if (kind.ChangesFiles())
            fault = Files(fault, words);
        else if (kind == FaultKind.Mix)
            fault = Kinds(fault, words);
        if (words.Count == 0 || words.Dequeue() != "at")
            throw new FormatException($"it does not say when; allowed: {s_forms}");
        fault = fault with { At = Time(Next(words, $"{TimeText.Allowed}, or U(10s,50s)")) };
        if (words.Count > 0)
            fault = fault with { DurationNanoseconds = Duration(fault, words) };
        return kind == FaultKind.Mix && fault.DurationNanoseconds is null
            ? throw new FormatException("a mix ends; allowed: mix at TIME for TIME")
            : fault;
    }

    private static string Next(Queue<string> words, string allowed) =>
        words.Count > 0 ? words.Dequeue() : throw new FormatException($"it ends too early; allowed: {allowed}");

    private static ClusterFault Targets(ClusterFault fault, Queue<string> words)
    {
        if (fault.Kind == FaultKind.Mix && words.TryPeek(out var word) && (word == "at" || IsValue(word)))
            return fault;
        return fault.Kind.Shape() switch
        {
            FaultShape.Link => fault with { Sides = Link(Next(words, "a link such as a-b, or any")) },
            FaultShape.Sides => Partition(fault, Next(words, "sides such as a|b,c, a>b or clients|a")),
            FaultShape.Node => Nodes(fault, Next(words, AllowedNodes)),
            _ => throw new UnreachableException(),
        };
    }

    private static ClusterFault Nodes(ClusterFault fault, string text) =>
        fault.Kind is FaultKind.Join
            ? fault with
            {
                Sides =
                [
                    [JoiningName(text)],
                ],
            }
        : fault.Kind is not FaultKind.Mix
        && Enum.GetValues<FaultReach>().Where(reach => reach.Word() == text).ToList() is [var reach]
            ? fault with
            {
                Reach = reach,
            }
        : fault with { Sides = [Names(text)] };

    private static string[] Names(string text) => [.. text.Split(',').Select(Name)];

    private static string JoiningName(string name) =>
        name == ClusterFault.Any
            ? throw new FormatException("a node that joins has a name; allowed: join NODE at TIME")
            : Name(name);

    private static string[][] Link(string link)
    {
        if (link == ClusterFault.Any)
            return [];
        string[] ends = link.Split('-') is { Length: 2 } two
            ? [.. two.Select(Name)]
            : throw new FormatException($"'{link}' is no link; allowed: two nodes with a hyphen between them, or any");
        return ends[0] == ends[1]
            ? throw new FormatException($"'{link}' joins a node with itself; allowed: two nodes")
            :
            [
                [ends[0]],
                [ends[1]],
            ];
    }

    private static ClusterFault Slow(ClusterFault fault, Queue<string> words)
    {
        while (words.TryPeek(out var word) && IsValue(word))
            fault = Slow(fault, words.Dequeue());
        return fault is { DelayMilliseconds: null, BitsPerSecond: null, Loss: null }
            ? throw new FormatException("it does not say how slow; allowed: delay=LAW, rate=RATE, loss=SHARE")
            : fault;
    }

    private static ClusterFault Slow(ClusterFault fault, string word)
    {
        var (key, value) = Split(word);
        switch (key)
        {
            case "delay":
                return LawText.TryParse(value, out var law, out var problem)
                    ? fault with
                    {
                        DelayMilliseconds = law,
                    }
                    : throw new FormatException($"'{value}' is not a law: {problem}");
            case "rate":
                return RateText.TryParse(value, out var rate)
                    ? fault with
                    {
                        BitsPerSecond = rate,
                    }
                    : throw new FormatException($"'{value}' is no rate; allowed: {RateText.Allowed}");
            case "loss":
                return
                    double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out var loss)
                    && loss is >= 0 and <= 1
                    ? fault with
                    {
                        Loss = loss,
                    }
                    : throw new FormatException($"'{value}' is no share; allowed: a number, 0 .. 1");
            default:
                throw new FormatException($"unknown key '{key}'; allowed: delay, rate, loss");
        }
    }

    private static ClusterFault Files(ClusterFault fault, Queue<string> words)
    {
        var files = words.TryPeek(out var next) && next != "at" ? words.Dequeue() : "";
        if (files.Length == 0 || files[0] == '/' || files.Split('/').Contains(".."))
            throw new FormatException($"it does not say which files; allowed: {AllowedFiles}");
        fault = fault with { Files = files };
        while (words.TryPeek(out var word) && IsValue(word))
            fault = Amount(fault, words.Dequeue());
        return fault is { Kind: FaultKind.Damage, Bits: 0 }
            ? throw new FormatException("it does not say how many bits; allowed: damage NODE FILES bits=N")
            : fault;
    }

    private static ClusterFault Amount(ClusterFault fault, string word)
    {
        var (key, text) = Split(word);
        var allowed = fault.Kind == FaultKind.Damage ? "bits" : "tail";
        if (key != allowed)
            throw new FormatException($"unknown key '{key}'; allowed: {allowed}");
        if (
            !int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value)
            || value is 0 or > MostBits
        )
            throw new FormatException($"'{text}' is no number of {key}; allowed: 1 .. {MostBits}");
        return key == "bits" ? fault with { Bits = value } : fault with { TailBytes = value };
    }

    private static ClusterFault Kinds(ClusterFault fault, Queue<string> words)
    {
        if (!words.TryPeek(out var word) || !IsValue(word))
            return fault;
        var (key, text) = Split(words.Dequeue());
        if (key != "kinds")
            throw new FormatException($"unknown key '{key}'; allowed: kinds");
        FaultKind[] kinds =
        [
            .. text.Split(',').Select(verb => FaultMix.Known.FirstOrDefault(kind => kind.Verb() == verb)),
        ];
        return kinds.Contains(FaultKind.None)
            ? throw new FormatException(
                $"'{text}' are no kinds of a mix; allowed: {string.Join(',', FaultMix.Known.Select(FaultKinds.Verb))}"
            )
            : fault with
            {
                Kinds = [.. kinds.Distinct()],
            };
    }

    private static bool IsValue(string word) => word.Contains('=', StringComparison.Ordinal);

    private static (string Key, string Value) Split(string word)
    {
        var equals = word.IndexOf('=', StringComparison.Ordinal);
        return (word[..equals], word[(equals + 1)..]);
    }

    private static ClusterFault Partition(ClusterFault fault, string text)
    {
        string[] sides = text.Split('|');
        if (sides is [TopologyNames.Clients, var nodes])
            return Nodes(fault with { IsOfClients = true }, nodes);
        if (text.Contains('>', StringComparison.Ordinal))
            return text.Split('>') is [var from, var to]
                ? fault with
                {
                    IsOneWay = true,
                    Sides = [Names(from), Names(to)],
                }
                : throw new FormatException($"'{text}' is no direction; allowed: two sides, such as a>b,c");
        return sides.Length >= 2
            ? fault with
            {
                Sides = [.. sides.Select(Names)],
            }
            : throw new FormatException($"'{text}' has one side; allowed: at least two, such as a|b,c");
    }

    private static string Name(string text) =>
        TopologyNames.IsNode(text)
            ? text
            : throw new FormatException($"'{text}' is no name of a node; allowed: {TopologyNames.AllowedNode}");

    private static FaultTime Time(string text)
    {
        if (TimeText.TryParse(text, out var fixedTime))
            return FaultTime.At(fixedTime);
        if (
            text.StartsWith("U(", StringComparison.Ordinal)
            && text.EndsWith(')')
            && text[2..^1].Split(',') is [var first, var last]
            && TimeText.TryParse(first, out var earliest)
            && TimeText.TryParse(last, out var latest)
        )
        {
            return earliest < latest
                ? new FaultTime(earliest, latest)
                : throw new FormatException($"'{text}' has no room; allowed: U(EARLIEST,LATEST)");
        }
        throw new FormatException($"'{text}' is no time; allowed: {TimeText.Allowed}, or U(10s,50s)");
    }

    private static long Duration(ClusterFault fault, Queue<string> words)
    {
        var word = words.Dequeue();
        if (word != "for")
            throw new FormatException($"'{word}' is not allowed here; allowed: for TIME");
        if (fault.Kind == FaultKind.Join)
            throw new FormatException("a node that joins stays; allowed: join NODE at TIME");
        if (fault.Kind == FaultKind.Leave)
            throw new FormatException("a node that leaves stays away; allowed: leave NODE at TIME");
        if (fault.Kind.ChangesFiles())
            throw new FormatException("its files stay as they are then; allowed: no duration");
        var text = Next(words, TimeText.Allowed);
        if (!TimeText.TryParse(text, out var duration) || duration == 0)
            throw new FormatException($"'{text}' is no duration; allowed: {TimeText.Allowed}");
        return words.Count == 0
            ? duration
            : throw new FormatException($"'{words.Peek()}' is not allowed here; allowed: the end");
    }
}
