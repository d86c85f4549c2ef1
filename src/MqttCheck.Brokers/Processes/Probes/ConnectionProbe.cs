using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Processes.Probes;

/// <summary>
/// Asks a broker whether it accepts a client: one CONNECT with a clean session, and DISCONNECT, on a wire
/// of its own.
/// </summary>
internal static class ConnectionProbe
{
    /// <summary>Asks once.</summary>
    /// <param name="endpoint">The address and transport of the broker.</param>
    /// <param name="credentials">How to log in.</param>
    /// <param name="timeout">How long to wait for the answer.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <param name="version">The version of MQTT. A broker may refuse another in any form.</param>
    /// <returns>
    /// Null when the client was accepted; otherwise what happened instead, as the end of a sentence about the broker.
    /// </returns>
    /// <exception cref="OperationCanceledException">It was given up.</exception>
    public static async Task<string?> AskAsync(
        WireEndpoint endpoint,
        Credentials? credentials,
        TimeSpan timeout,
        CancellationToken cancellation,
        ProtocolVersion version = ProtocolVersion.V311
    )
    {
        cancellation.ThrowIfCancellationRequested();
        using var wire = WireFactory.Create(new WireOptions());
        var connect = new ConnectPacket
        {
            ProtocolVersion = version,
            ClientId = $"mqttcheck-probe-{Environment.ProcessId:x}",
            KeepAliveSeconds = 10,
            UserName = credentials?.UserName,
            Password = credentials is null ? default(Bytes?) : Bytes.FromText(credentials.Password),
        };
        var client = new ProbeClient(endpoint, connect);
        // The limit below covers the whole probe.
        wire.Connect(endpoint with { ConnectTimeout = timeout + timeout }, client);
        var running = Task.Factory.StartNew(
            wire.Run,
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        try
        {
            await Task.WhenAny(client.Answer, running, Task.Delay(timeout, cancellation));
            cancellation.ThrowIfCancellationRequested();
            if (running.IsFaulted)
                await running;
            return client.Answer.IsCompleted
                ? await client.Answer
                : $"did not answer {(client.IsConnecting ? "a connection request" : "CONNECT")} "
                    + $"within {timeout.TotalSeconds:0.#} s";
        }
        finally
        {
            wire.Stop();
            await Task.WhenAny(running);
        }
    }
}
