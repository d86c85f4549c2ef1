using MqttCheck.Profiles.Workloads;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>The topics of a load's publishers and the filters of its subscribers.</summary>
internal sealed class LoadTopics(
    IReadOnlyList<string> topics,
    IReadOnlyList<string> filters,
    int[] receivers,
    bool areShared
)
{
    private readonly int[] _receivers = receivers;

    /// <summary>
    /// The text from which on a topic is the same wherever it arrives, because brokers on the way rename what stands in
    /// front of it; empty (the default) where topics stay as they are.
    /// </summary>
    public string Mark { get; private init; } = "";

    /// <summary>The topic on which each publisher sends. Default: <see cref="Topics"/>.</summary>
    public IReadOnlyList<string> SentTopics { get; private init; } = topics;

    /// <summary>The filter with which each subscriber subscribes. Default: <see cref="Filters"/>.</summary>
    public IReadOnlyList<string> SentFilters { get; private init; } = filters;

    /// <summary>The topic of each publisher.</summary>
    public IReadOnlyList<string> Topics { get; } = topics;

    /// <summary>The filter of each subscriber.</summary>
    public IReadOnlyList<string> Filters { get; } = filters;

    /// <summary>The topics and filters of a workload whose clients are at brokers that rename topics.</summary>
    /// <param name="workload">The workload.</param>
    /// <param name="beginning">The beginning by which the topics are known.</param>
    /// <param name="run">The run's prefix behind it, which ends with a slash.</param>
    /// <param name="ofPublisher">The beginning of the topic on which a publisher sends.</param>
    /// <param name="ofSubscriber">The beginning of the filter with which a subscriber subscribes.</param>
    public static LoadTopics Renamed(
        Workload workload,
        string beginning,
        string run,
        Func<int, string> ofPublisher,
        Func<int, string> ofSubscriber
    )
    {
        var common = Of(workload, beginning + run);
        return new(common.Topics, common.Filters, common._receivers, areShared: false)
        {
            Mark = run,
            SentTopics =
            [
                .. common.Topics.Select(
                    (_, publisher) => WorkloadTopics.Topic(workload, ofPublisher(publisher) + run, publisher)
                ),
            ],
            SentFilters =
            [
                .. common.Filters.Select(
                    (_, subscriber) => WorkloadTopics.Filter(workload, ofSubscriber(subscriber) + run, subscriber)
                ),
            ],
        };
    }

    /// <summary>
    /// Whether several publishers may share a topic. A payload then carries the number of the message times the number
    /// of publishers, plus the number of its publisher.
    /// </summary>
    public bool AreShared { get; } = areShared;

    /// <summary>The topics and filters of a workload.</summary>
    /// <param name="workload">The workload.</param>
    /// <param name="prefix">The run's prefix, which ends with a slash.</param>
    public static LoadTopics Of(Workload workload, string prefix)
    {
        return new(
            [
                .. Enumerable
                    .Range(0, workload.Publishers)
                    .Select(publisher => WorkloadTopics.Topic(workload, prefix, publisher)),
            ],
            [
                .. Enumerable
                    .Range(0, workload.Subscribers)
                    .Select(subscriber => WorkloadTopics.Filter(workload, prefix, subscriber)),
            ],
            [.. Enumerable.Repeat(workload.ReceiversPerMessage, workload.Publishers)],
            areShared: false
        );
    }

    /// <summary>Topics that several publishers may have, and that any number of subscribers may want.</summary>
    /// <param name="topics">The topic of each publisher.</param>
    /// <param name="filters">The filter of each subscriber.</param>
    public static LoadTopics Shared(IReadOnlyList<string> topics, IReadOnlyList<string> filters)
    {
        return new(
            topics,
            filters,
            [.. topics.Select(topic => filters.Count(filter => TopicFilter.Matches(filter, topic)))],
            areShared: true
        );
    }

    /// <summary>How many subscribers get a message of a publisher.</summary>
    /// <param name="publisher">The publisher's number.</param>
    public int ReceiversOf(int publisher) => _receivers[publisher];

    /// <summary>The number that the payload of a message carries.</summary>
    internal long InPayload(int publisher, long number) => AreShared ? (number * Topics.Count) + publisher : number;

    /// <summary>The message that a payload belongs to.</summary>
    /// <param name="publisher">The publisher of its topic, or one of them.</param>
    /// <param name="inPayload">The number that its payload carries.</param>
    internal (int Publisher, long Number) FromPayload(int publisher, long inPayload) =>
        AreShared ? ((int)(inPayload % Topics.Count), inPayload / Topics.Count) : (publisher, inPayload);
}
