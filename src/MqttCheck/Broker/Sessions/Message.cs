using MqttCheck.Protocol;

namespace MqttCheck.Broker.Sessions;

/// <summary>
/// An application message as the broker keeps it: one block of bytes (topic, properties to be forwarded, payload),
/// shared by all deliveries of it.
/// </summary>
internal sealed class Message
{
    private readonly byte[] _bytes;
    private readonly int _topicLength,
        _propertiesLength;

    /// <param name="topic">The topic name in UTF-8.</param>
    /// <param name="properties">
    /// Encoded properties that are forwarded unchanged and in order: all but expiry, alias and subscription
    /// identifiers.
    /// </param>
    /// <param name="payload">The payload.</param>
    /// <param name="qos">The quality of service it was published with.</param>
    /// <param name="retain">Whether the publisher set RETAIN.</param>
    /// <param name="expiresAtNanoseconds">When it expires; <see cref="long.MaxValue"/> for never.</param>
    /// <param name="publisher">The publisher's client identifier, for No Local.</param>
    public Message(
        ReadOnlySpan<byte> topic,
        ReadOnlySpan<byte> properties,
        ReadOnlySpan<byte> payload,
        QualityOfService qos,
        bool retain,
        long expiresAtNanoseconds,
        string publisher
    )
    {
        _bytes = GC.AllocateUninitializedArray<byte>(topic.Length + properties.Length + payload.Length);
        _topicLength = topic.Length;
        _propertiesLength = properties.Length;
        topic.CopyTo(_bytes);
        properties.CopyTo(_bytes.AsSpan(_topicLength));
        payload.CopyTo(_bytes.AsSpan(_topicLength + _propertiesLength));
        (Qos, Retain, ExpiresAtNanoseconds, Publisher) = (qos, retain, expiresAtNanoseconds, publisher);
    }

    private Message(Message other, long expiresAtNanoseconds)
    {
        (_bytes, _topicLength, _propertiesLength) = (other._bytes, other._topicLength, other._propertiesLength);
        (Qos, Retain, ExpiresAtNanoseconds, Publisher) = (
            other.Qos,
            other.Retain,
            expiresAtNanoseconds,
            other.Publisher
        );
    }

    public ReadOnlySpan<byte> Topic => _bytes.AsSpan(0, _topicLength);

    public ReadOnlySpan<byte> Properties => _bytes.AsSpan(_topicLength, _propertiesLength);

    public ReadOnlySpan<byte> Payload => _bytes.AsSpan(_topicLength + _propertiesLength);

    public QualityOfService Qos { get; }

    public bool Retain { get; }

    public long ExpiresAtNanoseconds { get; }

    public string Publisher { get; }

    /// <summary>The expiry interval as it was published, for one mutant; null for none.</summary>
    public uint? ExpirySeconds { get; init; }

    /// <summary>Whether the publisher set DUP: one mutant forwards it.</summary>
    public bool Duplicate { get; init; }

    /// <summary>The bytes that count against the limits of queues and of the retained store.</summary>
    public int Size => _bytes.Length;

    /// <summary>The same message with an expiry.</summary>
    public Message Expiring(long atNanoseconds) => new(this, atNanoseconds);

    /// <summary>The same message with other properties.</summary>
    public Message WithProperties(ReadOnlySpan<byte> properties) =>
        new(Topic, properties, Payload, Qos, Retain, ExpiresAtNanoseconds, Publisher);

    public bool HasExpired(long nowNanoseconds) => nowNanoseconds >= ExpiresAtNanoseconds;
}
