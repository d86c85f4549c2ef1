using System.Diagnostics;
using System.Globalization;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Clusters.Topologies.Faults;

/// <summary>
/// The language of faults: <c>kill NODE</c>, <c>stop NODE</c>, <c>freeze NODE</c>, <c>join NODE</c>, <c>cut A-B</c>,
/// <c>partition A|B,C</c>, <c>slow A-B delay=LAW rate=RATE loss=SHARE</c>, each with <c>at TIME</c> and perhaps
/// <c>for TIME</c>. A node or a link may be <c>any</c>, a time <c>U(TIME,TIME)</c>.
/// </summary>
internal static class FaultText
{
    private static readonly string s_forms =
        $"{Verbs(FaultShape.Node)} NODE, join NODE, {Verbs(FaultShape.Link)} A-B, {Verbs(FaultShape.Sides)} A|B,C, "
        + "slow A-B delay=LAW rate=RATE loss=SHARE, "
        + "with 'at TIME' and perhaps 'for TIME' behind, such as 'kill b1 at 20s for 10s'";

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
        var fault = new ClusterFault { Kind = kind, Sides = Sides(kind, words) };
        if (kind == FaultKind.Slow)
            fault = Slow(fault, words);
        if (words.Count == 0 || words.Dequeue() != "at")
            throw new FormatException($"it does not say when; allowed: {s_forms}");
        fault = fault with { At = Time(Next(words, $"{TimeText.Allowed}, or U(10s,50s)")) };
        if (words.Count > 0)
            fault = fault with { DurationNanoseconds = Duration(fault, words) };
        return fault;
    }

    // A join and a slow link have forms of their own.
    private static string Verbs(FaultShape shape) =>
        string.Join(
            '|',
            FaultKinds.Of(shape).Where(kind => kind is not (FaultKind.Join or FaultKind.Slow)).Select(FaultKinds.Verb)
        );

    private static string Next(Queue<string> words, string allowed) =>
        words.Count > 0 ? words.Dequeue() : throw new FormatException($"it ends too early; allowed: {allowed}");

    private static string[][] Sides(FaultKind kind, Queue<string> words) =>
        kind.Shape() switch
        {
            FaultShape.Node => Node(kind, Next(words, "a node or any")),
            FaultShape.Link => Link(Next(words, "a link such as a-b, or any")),
            FaultShape.Sides => Partition(Next(words, "sides such as a|b,c")),
            _ => throw new UnreachableException(),
        };

    private static string[][] Node(FaultKind kind, string name)
    {
        if (name != ClusterFault.Any)
            return
            [
                [Name(name)],
            ];
        return kind == FaultKind.Join
            ? throw new FormatException("a node that joins has a name; allowed: join NODE at TIME")
            : [];
    }

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
        while (words.TryPeek(out var word) && word.Contains('=', StringComparison.Ordinal))
            fault = Slow(fault, words.Dequeue());
        return fault is { DelayMilliseconds: null, BitsPerSecond: null, Loss: null }
            ? throw new FormatException("it does not say how slow; allowed: delay=LAW, rate=RATE, loss=SHARE")
            : fault;
    }

    private static ClusterFault Slow(ClusterFault fault, string word)
    {
        var equals = word.IndexOf('=', StringComparison.Ordinal);
        var (key, value) = (word[..equals], word[(equals + 1)..]);
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

    private static string[][] Partition(string text)
    {
        string[][] sides = [.. text.Split('|').Select(side => side.Split(',').Select(Name).ToArray())];
        return sides.Length >= 2
            ? sides
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
        var text = Next(words, TimeText.Allowed);
        if (!TimeText.TryParse(text, out var duration) || duration == 0)
            throw new FormatException($"'{text}' is no duration; allowed: {TimeText.Allowed}");
        return words.Count == 0
            ? duration
            : throw new FormatException($"'{words.Peek()}' is not allowed here; allowed: the end");
    }
}
