using System.Diagnostics;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Frames;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Processes.Probes;

/// <summary>The client of a probe: connects, reports the result, and leaves.</summary>
/// <param name="endpoint">The address and transport of the broker.</param>
/// <param name="connect">Its request.</param>
internal sealed class ProbeClient(WireEndpoint endpoint, ConnectPacket connect) : IWireHandler
{
    private const int MaximumAnswerBytes = 1024;
    private const string NotMqtt = "answered CONNECT with something else than CONNACK; it does not seem to speak MQTT";

    private readonly TaskCompletionSource<string?> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isConnecting = true;

    /// <summary>
    /// Null when the client was accepted; otherwise what happened instead, as the end of a sentence about the broker.
    /// </summary>
    public Task<string?> Answer => _answer.Task;

    /// <summary>Whether the connection is not yet made.</summary>
    public bool IsConnecting => _isConnecting;

    /// <inheritdoc/>
    public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
    {
        _isConnecting = false;
        connection.Send(PacketEncoder.Encode(connect, connect.ProtocolVersion));
    }

    /// <inheritdoc/>
    public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp)
    {
        if (_answer.Task.IsCompleted)
            return bytes.Length;
        var type = (PacketType)(bytes[0] >> 4);
        if (type != PacketType.Connack)
        {
            // A connection to an ephemeral port without a listener may be connected to itself.
            _answer.TrySetResult(type == PacketType.Connect ? "does not listen" : NotMqtt);
            connection.Abort();
            return bytes.Length;
        }
        var status = PacketFrame.TryRead(bytes, MaximumAnswerBytes, out var frame);
        if (status == FrameStatus.NeedMore)
            return 0;
        var answer =
            status == FrameStatus.Complete
                ? PacketDecoder.Observe(bytes[..frame.TotalLength], connect.ProtocolVersion, PacketOrigin.Server).Packet
                    as ConnackPacket
                : null;
        if (answer?.ReasonCode == ReasonCode.Success)
            connection.Send(PacketEncoder.Encode(new DisconnectPacket(), connect.ProtocolVersion));
        connection.Close();
        _answer.TrySetResult(
            answer is null ? NotMqtt
            : answer.ReasonCode == ReasonCode.Success ? null
            : Refusal(answer.ReasonCode)
        );
        return bytes.Length;
    }

    /// <inheritdoc/>
    public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
        _answer.TrySetResult(
            reason switch
            {
                CloseReason.Refused => $"does not listen: {detail}",
                CloseReason.ConnectTimeout => $"did not answer a connection request: {detail}",
                CloseReason.HandshakeFailed when endpoint.Tls is not null =>
                    $"cannot be reached as asked: {detail} (--ca-file, --server-name, "
                        + "--client-cert and --tls-unchecked say how to speak TLS)",
                CloseReason.HandshakeFailed => $"cannot be reached as asked: {detail}",
                CloseReason.LocalFailure => $"cannot be reached from this machine: {detail}",
                CloseReason.ClosedByPeer =>
                    "closed the connection instead of answering CONNECT; it may not speak MQTT 3.1.1, "
                        + (endpoint.Tls is null ? "or expect TLS" : "or ask for a client certificate (--client-cert)"),
                CloseReason.Reset or CloseReason.ClosedHere or CloseReason.SendBufferFull =>
                    $"broke the connection: {detail}",
                _ => throw new UnreachableException(),
            }
        );

    private static string Refusal(ReasonCode reason)
    {
        var code = ConnectReturnCodes.TryFromReasonCode(reason, out var found)
            ? $"CONNACK code {(int)found}"
            : $"reason code {(int)reason}";
        return reason switch
        {
            ReasonCode.BadUserNameOrPassword or ReasonCode.NotAuthorized =>
                $"refuses the user name or password, or asks for some ({code})",
            ReasonCode.UnsupportedProtocolVersion => $"does not speak MQTT 3.1.1 ({code})",
            _ => $"refuses a client ({code}, {reason})",
        };
    }
}
