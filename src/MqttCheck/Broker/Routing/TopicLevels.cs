namespace MqttCheck.Broker.Routing;

/// <summary>How deep topics are.</summary>
internal static class TopicLevels
{
    public static int Count(string topicOrFilter) => 1 + topicOrFilter.AsSpan().Count('/');

    public static int Count(ReadOnlySpan<byte> topicUtf8) => 1 + topicUtf8.Count((byte)'/');
}
