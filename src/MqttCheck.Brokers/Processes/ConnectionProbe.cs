using System.Net;
using System.Net.Sockets;
using MqttCheck.Protocol;

namespace MqttCheck.Brokers.Processes;

/// <summary>Asks a broker whether it accepts a client: one CONNECT of MQTT 3.1.1 with a clean session, and DISCONNECT.</summary>
internal static class ConnectionProbe
{
    private const int MaximumAnswerBytes = 1024;
    private const string NotMqtt = "answered CONNECT with something else than CONNACK; it does not seem to speak MQTT";

    /// <summary>Asks once.</summary>
    /// <param name="address">Where.</param>
    /// <param name="credentials">How to log in.</param>
    /// <param name="timeout">How long to wait for the answer.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Null when the client was accepted; otherwise what happened instead, as the end of a sentence about the broker.</returns>
    public static async Task<string?> AskAsync(IPEndPoint address, Credentials? credentials, TimeSpan timeout, CancellationToken cancellation)
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        limit.CancelAfter(timeout);
        using var socket = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        var connected = false;
        try
        {
            await socket.ConnectAsync(address, limit.Token);
            // A port of the ephemeral range where nobody listens may be connected to itself.
            if (socket.LocalEndPoint!.Equals(socket.RemoteEndPoint)) return "does not listen";
            connected = true;
            await SendAsync(socket, Connect(credentials), limit.Token);
            var (connack, problem) = await ReceiveAsync(socket, limit.Token);
            if (connack is null) return problem;
            if (connack.ReasonCode != ReasonCode.Success) return Refusal(connack.ReasonCode);
            await SendAsync(socket, new DisconnectPacket(), limit.Token);
            return null;
        }
        catch (OperationCanceledException) when (!cancellation.IsCancellationRequested)
        {
            return $"did not answer {(connected ? "CONNECT" : "a connection request")} within {timeout.TotalSeconds:0.#} s";
        }
        catch (SocketException failure)
        {
            return connected ? $"broke the connection: {failure.Message}" : $"does not listen: {failure.Message}";
        }
    }

    private static ConnectPacket Connect(Credentials? credentials) => new()
    {
        ProtocolVersion = ProtocolVersion.V311,
        ClientId = $"mqttcheck-probe-{Environment.ProcessId:x}",
        KeepAliveSeconds = 10,
        UserName = credentials?.UserName,
        Password = credentials is null ? default(Bytes?) : Bytes.FromText(credentials.Password),
    };

    private static string Refusal(ReasonCode reason)
    {
        var code = ConnectReturnCodes.TryFromReasonCode(reason, out var found) ? $"CONNACK code {(int)found}" : $"reason code {(int)reason}";
        return reason switch
        {
            ReasonCode.BadUserNameOrPassword or ReasonCode.NotAuthorized => $"refuses the user name or password, or asks for some ({code})",
            ReasonCode.UnsupportedProtocolVersion => $"does not speak MQTT 3.1.1 ({code})",
            _ => $"refuses a client ({code}, {reason})",
        };
    }

    private static async Task SendAsync(Socket socket, Packet packet, CancellationToken cancellation)
    {
        ReadOnlyMemory<byte> bytes = PacketEncoder.Encode(packet, ProtocolVersion.V311);
        while (!bytes.IsEmpty) bytes = bytes[await socket.SendAsync(bytes, cancellation)..];
    }

    private static async Task<(ConnackPacket? Connack, string Problem)> ReceiveAsync(Socket socket, CancellationToken cancellation)
    {
        var buffer = new byte[MaximumAnswerBytes];
        var count = 0;
        while (true)
        {
            var received = await socket.ReceiveAsync(buffer.AsMemory(count), cancellation);
            if (received == 0) return (null, "closed the connection instead of answering CONNECT; it may not speak MQTT 3.1.1, or expect TLS");
            count += received;
            if ((PacketType)(buffer[0] >> 4) != PacketType.Connack) return (null, NotMqtt);
            var status = PacketFrame.TryRead(buffer.AsSpan(0, count), MaximumAnswerBytes, out var frame);
            if (status == FrameStatus.NeedMore) continue;
            var answer = status == FrameStatus.Complete
                ? PacketDecoder.Observe(buffer.AsSpan(0, frame.TotalLength), ProtocolVersion.V311, PacketOrigin.Server).Packet
                : null;
            return (answer as ConnackPacket, NotMqtt);
        }
    }
}
