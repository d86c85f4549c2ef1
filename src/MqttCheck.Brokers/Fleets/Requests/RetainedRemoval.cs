using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>
/// Removes what the broker keeps of a run's messages, since nobody else knows their topics: an empty retained message
/// for each, over a connection of its own.
/// </summary>
internal sealed class RetainedRemoval : IWireHandler
{
    private readonly RequestPackets _packets;
    private readonly ProtocolVersion _version;
    private readonly Action _done;

    private RetainedRemoval(RequestPackets packets, ProtocolVersion version, Action done) =>
        (_packets, _version, _done) = (packets, version, done);

    /// <summary>Begins.</summary>
    /// <param name="wire">The event loop.</param>
    /// <param name="endpoint">The broker.</param>
    /// <param name="packets">Knows the topics.</param>
    /// <param name="version">The protocol spoken.</param>
    /// <param name="done">Called at the end, whether or not the broker could be reached.</param>
    public static void Clear(
        IWire wire,
        WireEndpoint endpoint,
        RequestPackets packets,
        ProtocolVersion version,
        Action done
    ) => wire.Connect(endpoint, new RetainedRemoval(packets, version, done));

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(_packets.ConnectToClear());

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        if (ServerAnswers.TryReadConnack(_version, bytes, out var connack) && connack.Code == 0)
        {
            foreach (var topic in _packets.RetainedTopics)
                connection.Send(_packets.Clear(topic));
            connection.Send(RequestPackets.Disconnect);
        }
        connection.Close();
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        _done();
}
