using System.Diagnostics;
using System.Globalization;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Profiles.Workloads;

/// <summary>
/// The topics and filters of a workload. Places in them: <c>{prefix}</c> (unique to the run), <c>{publisher}</c> in
/// topics, <c>{subscriber}</c> in filters, <c>{group}</c> in both: the subscriber that a publisher sends to.
/// </summary>
internal static class WorkloadTopics
{
    /// <summary>How many characters the name of a run has in its topics.</summary>
    public const int RunNameLength = 8;

    /// <summary>The beginning of all topics of a run, simulated or live: topics of both have equal lengths.</summary>
    /// <param name="name">The name of the run, of <see cref="RunNameLength"/> characters.</param>
    public static string RunPrefix(string name) => $"mqttcheck/{name}/";

    /// <summary>The number of the subscriber that a publisher sends to; of a fan-out, where all receive, 0.</summary>
    /// <param name="workload">The workload.</param>
    /// <param name="publisher">The publisher's number.</param>
    public static int Receiver(Workload workload, int publisher)
    {
        return workload.Shape == WorkloadShape.FanOut ? 0 : publisher % workload.Subscribers;
    }

    /// <summary>The topic of a publisher.</summary>
    /// <param name="workload">The workload.</param>
    /// <param name="prefix">The run's prefix, which ends with a slash.</param>
    /// <param name="publisher">The publisher's number.</param>
    public static string Topic(Workload workload, string prefix, int publisher)
    {
        return Fill(TopicText(workload), prefix)
            .Replace("{publisher}", Number(publisher), StringComparison.Ordinal)
            .Replace("{group}", Number(Receiver(workload, publisher)), StringComparison.Ordinal);
    }

    /// <summary>The filter of a subscriber.</summary>
    /// <param name="workload">The workload.</param>
    /// <param name="prefix">The run's prefix, which ends with a slash.</param>
    /// <param name="subscriber">The subscriber's number.</param>
    public static string Filter(Workload workload, string prefix, int subscriber)
    {
        return Fill(FilterText(workload), prefix)
            .Replace("{subscriber}", Number(subscriber), StringComparison.Ordinal)
            .Replace(
                "{group}",
                Number(workload.Shape == WorkloadShape.FanOut ? 0 : subscriber),
                StringComparison.Ordinal
            );
    }

    /// <summary>Finds what is wrong with topics and filters.</summary>
    /// <param name="workload">The workload.</param>
    internal static IEnumerable<string> Validate(Workload workload)
    {
        const string sample = "p/";
        if (workload.Publishers < 1 || workload.Subscribers < 1)
            yield break;
        var topic = Topic(workload, sample, 0);
        var filter = Filter(workload, sample, 0);
        if (topic.AsSpan().IndexOfAny('+', '#') >= 0)
        {
            yield return $"Topic: '{TopicText(workload)}' has a wildcard, and nothing "
                + "can be published to it; allowed: a topic without + and #.";
            yield break;
        }
        if (!TopicName.IsValid(topic))
            yield return $"Topic: '{TopicText(workload)}' is no topic; "
                + "allowed: 1 .. 65535 bytes of UTF-8 without U+0000.";
        if (topic.StartsWith('$'))
            yield return $"Topic: '{TopicText(workload)}' is reserved to the "
                + "broker; allowed: one that does not begin with $.";
        if (!TopicFilter.IsValid(filter, ProtocolVersion.V5) || filter.StartsWith("$share/", StringComparison.Ordinal))
        {
            yield return $"Filter: '{FilterText(workload)}' is no filter, or a shared "
                + "one; allowed: wildcards + and # that stand for whole levels.";
            yield break;
        }
        if (workload.Publishers > 1 && Topic(workload, sample, 1) == topic)
        {
            yield return $"Topic: '{TopicText(workload)}' is the same for all "
                + "publishers; allowed: one with {publisher} in it.";
            yield break;
        }
        if (!TopicFilter.Matches(filter, topic))
            yield return $"Filter: '{FilterText(workload)}' does not match the "
                + $"topic '{TopicText(workload)}'; nothing would arrive.";
        var other = workload.Shape == WorkloadShape.FanOut ? 0 : workload.Subscribers - 1;
        if (other > 0 && TopicFilter.Matches(Filter(workload, sample, other), topic))
            yield return $"Filter: '{FilterText(workload)}' of one subscriber matches "
                + "another's topic; allowed: one with {subscriber} in it.";
    }

    private static string TopicText(Workload workload) =>
        workload.Topic.Length > 0
            ? workload.Topic
            : workload.Shape switch
            {
                WorkloadShape.FanIn => "{prefix}{group}/{publisher}",
                WorkloadShape.Pairs or WorkloadShape.FanOut => "{prefix}{publisher}",
                _ => throw new UnreachableException(),
            };

    private static string FilterText(Workload workload) =>
        workload.Filter.Length > 0
            ? workload.Filter
            : workload.Shape switch
            {
                WorkloadShape.Pairs => "{prefix}{subscriber}",
                WorkloadShape.FanIn => "{prefix}{subscriber}/+",
                WorkloadShape.FanOut => "{prefix}+",
                _ => throw new UnreachableException(),
            };

    private static string Fill(string text, string prefix) =>
        text.Replace("{prefix}", prefix, StringComparison.Ordinal);

    private static string Number(int number) => number.ToString(CultureInfo.InvariantCulture);
}
