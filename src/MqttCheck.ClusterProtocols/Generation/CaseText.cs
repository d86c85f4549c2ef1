using System.Globalization;
using MqttCheck.Clusters.Topologies;
using MqttCheck.Clusters.Topologies.Faults;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.ClusterProtocols.Generation;

/// <summary>
/// Cases as text, lines with semicolons between them: the language of faults, and
/// <c>n1 publish t/1 qos=2 at 3s</c>, <c>n1 subscribe t/1 qos=2 at 1s</c>, <c>n1 unsubscribe t/1 at 5s</c>,
/// <c>without n4</c>, <c>without n1-n2</c>, <c>delay 10ms</c>, <c>silence 60s</c>, <c>capability n6 3</c>,
/// <c>root balance</c>, <c>announcements lost at 0s for 900ms</c>, <c>b2 leave # at 2s for 20ms</c>, <c>limit 5</c>,
/// <c>lifetime 2s</c>, <c>way exponential:1ms</c>.
/// </summary>
internal static class CaseText
{
    // No store has more identifiers for the messages of a session.
    private const int MostNumber = 65_535;

    private const string Forms =
        "'n1 publish t/1 qos=2 at 3s', 'n1 subscribe t/1 qos=2 at 1s', 'n1 unsubscribe t/1 at 5s', 'without n4', "
        + "'without n1-n2', 'delay 10ms', 'silence 60s', 'capability n6 3', 'root balance', "
        + "'announcements lost at 0s for 900ms', 'b2 leave # at 2s for 20ms', 'limit 5', 'lifetime 2s', "
        + "'way exponential:1ms', "
        + "or a fault such as 'kill n1 at 20s for 10s'";

    /// <summary>Reads a case.</summary>
    /// <param name="text">The text.</param>
    /// <param name="topology">The cluster that it is put to.</param>
    /// <param name="where">The place of the text, for the message.</param>
    /// <exception cref="InputException">A line is wrong; the message names it.</exception>
    public static ClusterCase Parse(string text, Topology topology, string where)
    {
        var steps = new List<CaseStep>();
        foreach (var line in text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            try
            {
                steps.Add(Read(line, topology));
            }
            catch (FormatException wrong)
            {
                throw new InputException($"{where}: '{line}' is not a step: {wrong.Message}. Allowed: {Forms}.", wrong);
            }
        }
        return steps.Count > 0
            ? new ClusterCase([.. steps])
            : throw new InputException($"{where}: '' given; allowed: steps with a semicolon between them, {Forms}.");
    }

    private static CaseStep Read(string line, Topology topology)
    {
        var words = line.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        switch (words)
        {
            case ["without", var part]:
                return Omission(part, topology);
            case ["delay", var text]:
                return new CaseDelay(Time(text) / 1e6);
            case ["silence", var text]:
                return Time(text) is > 0 and var silence
                    ? new CaseSilence(silence)
                    : throw new FormatException("a silence is positive");
            case ["capability", var node, var text]:
                return new CaseCapability(Known(node, topology), Number(text, least: 0));
            case ["root", var text]:
                return new CaseRoot(
                    text switch
                    {
                        "balance" => RootRule.Balance,
                        "capacity" => RootRule.Capacity,
                        _ => throw new FormatException($"'{text}' is no rule; allowed: balance, capacity"),
                    }
                );
            case ["limit", var text]:
                return new CaseLimit(Number(text, least: 1));
            case ["lifetime", var text]:
                return new CaseLifetime(Positive(text));
            case ["way", var text]:
                return LawText.TryParse(text, out var law, out var problem)
                    ? new CaseWay(law)
                    : throw new FormatException($"'{text}' is not a law: {problem}");
            case ["announcements", "lost", "at", var at, "for", var lasts]:
                return new CaseLostAnnouncements(Time(at), Positive(lasts));
            case [var node, "leave", var filter, "at", var at, "for", var lasts]:
                return new CaseAbsence(Known(node, topology), Filter(filter), Time(at), Positive(lasts));
            case [var node, "publish" or "subscribe" or "unsubscribe", ..]:
                return Operation(words, Known(node, topology));
            default:
                var fault = FaultText.Read(line);
                if (fault.Problems(topology).FirstOrDefault() is { } wrong)
                    throw new FormatException(wrong);
                return new CaseFault(fault);
        }
    }

    private static CaseOmission Omission(string part, Topology topology)
    {
        var ends = part.Split('-');
        if (ends.Length == 1)
            return new CaseOmission(Known(part, topology));
        if (ends.Length != 2 || topology.LinksBetween(Index(ends[0], topology), Index(ends[1], topology)).Count == 0)
            throw new FormatException($"there is no link '{part}'");
        return new CaseOmission(ends[0], ends[1]);
    }

    private static CaseOperation Operation(string[] words, string node)
    {
        var verb = Enum.Parse<CaseVerb>(words[1], ignoreCase: true);
        var hasQos = verb != CaseVerb.Unsubscribe;
        if (words.Length != (hasQos ? 6 : 5) || words[^2] != "at")
            throw new FormatException("it has not the form of an operation");
        if (verb == CaseVerb.Publish && words[2].AsSpan().ContainsAny('+', '#'))
            throw new FormatException($"'{words[2]}' is a filter, and a publication has a topic");
        return new CaseOperation
        {
            Node = node,
            Verb = verb,
            Topic = Filter(words[2]),
            Qos = hasQos ? Qos(words[3]) : default,
            AtNanoseconds = Time(words[^1]),
        };
    }

    private static string Filter(string word) =>
        TopicFilter.IsValid(word, ProtocolVersion.V5) ? word : throw new FormatException($"'{word}' is no topic");

    private static int Number(string word, int least) =>
        int.TryParse(word, NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        && number >= least
        && number <= MostNumber
            ? number
            : throw new FormatException(Invariant($"'{word}' is no number from {least} to {MostNumber}"));

    private static long Positive(string text) =>
        Time(text) is > 0 and var time ? time : throw new FormatException($"'{text}' is no positive time");

    private static QualityOfService Qos(string word) =>
        word switch
        {
            "qos=0" => QualityOfService.AtMostOnce,
            "qos=1" => QualityOfService.AtLeastOnce,
            "qos=2" => QualityOfService.ExactlyOnce,
            _ => throw new FormatException($"'{word}' is no quality of service; allowed: qos=0, qos=1, qos=2"),
        };

    private static string Known(string node, Topology topology)
    {
        Index(node, topology);
        return node;
    }

    private static int Index(string node, Topology topology) =>
        topology.NodeIndex(node) is >= 0 and var index
            ? index
            : throw new FormatException(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"unknown node '{node}'; the topology has {string.Join(", ", topology.Nodes.Select(n => n.Name))}"
                )
            );

    private static long Time(string text) =>
        TimeText.TryParse(text, out var nanoseconds)
            ? nanoseconds
            : throw new FormatException($"'{text}' is no time; allowed: {TimeText.Allowed}");
}
