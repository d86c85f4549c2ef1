using MqttCheck.Protocol.Topics;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>The topics of a load by publisher, and the publishers of received topics, without allocation.</summary>
internal sealed class TopicTable
{
    private readonly byte[][] _topics;
    private readonly Dictionary<byte[], int>.AlternateLookup<ReadOnlySpan<byte>> _publishers;

    /// <summary>A table.</summary>
    /// <param name="topics">The topics in UTF-8; the first publisher stands for all of a topic.</param>
    public TopicTable(byte[][] topics)
    {
        _topics = topics;
        var publishers = new Dictionary<byte[], int>(topics.Length, new TopicComparer());
        for (var publisher = 0; publisher < topics.Length; publisher++)
            publishers.TryAdd(topics[publisher], publisher);
        _publishers = publishers.GetAlternateLookup<ReadOnlySpan<byte>>();
    }

    /// <summary>The publisher of a topic, or -1.</summary>
    /// <param name="topic">The topic.</param>
    /// <param name="guess">The probable publisher.</param>
    public int Find(ReadOnlySpan<byte> topic, int guess)
    {
        if (topic.SequenceEqual(_topics[guess]))
            return guess;
        return _publishers.TryGetValue(topic, out var publisher) ? publisher : -1;
    }
}
