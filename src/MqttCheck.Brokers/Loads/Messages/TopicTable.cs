using System.Text;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Brokers.Loads.Messages;

/// <summary>The topics of a load by publisher, and the publishers of received topics, without allocation.</summary>
internal sealed class TopicTable
{
    private readonly byte[][] _topics;
    private readonly byte[] _mark;
    private readonly Dictionary<byte[], int>.AlternateLookup<ReadOnlySpan<byte>> _publishers;

    /// <summary>A table.</summary>
    /// <param name="topics">The topics in UTF-8; the first publisher stands for all of a topic.</param>
    /// <param name="mark">See <see cref="LoadTopics.Mark"/>.</param>
    public TopicTable(byte[][] topics, string mark = "")
    {
        _mark = Encoding.UTF8.GetBytes(mark);
        topics = [.. topics.Select(topic => Behind(topic).ToArray())];
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
        topic = Behind(topic);
        if (topic.SequenceEqual(_topics[guess]))
            return guess;
        return _publishers.TryGetValue(topic, out var publisher) ? publisher : -1;
    }

    // A topic without the mark is compared as a whole.
    private ReadOnlySpan<byte> Behind(ReadOnlySpan<byte> topic) =>
        _mark.Length > 0 && topic.IndexOf(_mark) is > 0 and var at ? topic[at..] : topic;
}
