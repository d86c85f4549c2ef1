using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Captures.Taps;

/// <summary>Finds the broker behind a tap.</summary>
internal static class TapTarget
{
    private const string Allowed = "HOST, HOST:PORT, mqtt://HOST:PORT or mqtts://HOST:PORT";

    /// <summary>Reads the address of the broker.</summary>
    /// <param name="text">The address.</param>
    /// <exception cref="InputException">It is none of a broker over TCP or TLS.</exception>
    public static BrokerSpecification Parse(string text)
    {
        var address = text.Contains("://", StringComparison.Ordinal) ? text : $"mqtt://{text}";
        var isOne =
            address.StartsWith("mqtt", StringComparison.Ordinal) && !address.Contains(',', StringComparison.Ordinal);
        return isOne
            ? BrokerSpecification.Parse(address)
            : throw new InputException($"--to: '{text}' is not allowed; allowed: {Allowed}");
    }

    /// <summary>Connects to the broker once, without a word of MQTT.</summary>
    /// <param name="broker">The broker.</param>
    /// <param name="tls">How to speak TLS with it.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>The address that answered.</returns>
    /// <exception cref="BrokerException">Nobody answers.</exception>
    public static async Task<WireEndpoint> ReachAsync(
        BrokerSpecification broker,
        TlsClientOptions tls,
        CancellationToken cancellation
    )
    {
        IPAddress[] addresses;
        try
        {
            addresses = await Dns.GetHostAddressesAsync(broker.Host, cancellation);
        }
        catch (SocketException failure)
        {
            throw new BrokerException($"Host '{broker.Host}' is not known: {failure.Message}.", failure);
        }
        var problem = "it has no address";
        foreach (var address in addresses)
        {
            var endpoint = new WireEndpoint(new(address, broker.Port))
            {
                Tls = broker.Transport.IsTls() ? tls with { ServerName = tls.ServerName ?? broker.Host } : null,
            };
            await using var runner = new WireRunner("probe");
            var probe = new Probe();
            runner.Wire.Post(() => runner.Wire.Connect(endpoint, probe));
            runner.Start();
            if (await probe.Answer.WaitAsync(cancellation) is not { } failure)
                return endpoint;
            problem = failure;
        }
        throw new BrokerException($"Broker {broker.Name} does not answer: {problem}.");
    }

    private sealed class Probe : IWireHandler
    {
        private readonly TaskCompletionSource<string?> _answer = new(
            TaskCreationOptions.RunContinuationsAsynchronously
        );

        public Task<string?> Answer => _answer.Task;

        public void OnConnected(WireConnection connection, in ArrivalStamp stamp)
        {
            _answer.TrySetResult(null);
            connection.Close();
        }

        public int OnBytes(WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp stamp) => bytes.Length;

        public void OnClosed(WireConnection connection, CloseReason reason, string detail, in ArrivalStamp stamp) =>
            _answer.TrySetResult(detail.Length > 0 ? detail.TrimEnd('.') : $"{reason}");
    }
}
