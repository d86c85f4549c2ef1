using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Fleets.Requests;

/// <summary>
/// Removes the retained messages of a run from the broker, because nobody else knows their topics. It sends an empty
/// retained message for each over a connection of its own.
/// </summary>
/// <param name="packets">Knows the topics.</param>
/// <param name="wills">The topics of wills that the broker may keep.</param>
/// <param name="version">The protocol spoken.</param>
/// <param name="done">Called at the end, whether or not the broker could be reached.</param>
internal sealed class RetainedRemoval(
    RequestPackets packets,
    IReadOnlyList<byte[]> wills,
    ProtocolVersion version,
    Action done
) : IWireHandler
{
    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp) =>
        connection.Send(packets.ConnectToClear);

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        if (ServerAnswers.TryReadConnack(version, bytes, out var connack) && connack.Code == 0)
        {
            foreach (var topic in packets.RetainedTopics)
                connection.Send(packets.Clear(packets.Names.Topic(topic)));
            foreach (var will in wills)
                connection.Send(packets.Clear(will));
            connection.Send(RequestPackets.Disconnect);
        }
        connection.Close();
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) => done();
}
