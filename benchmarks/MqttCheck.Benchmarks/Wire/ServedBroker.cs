using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Benchmarks.Wire;

/// <summary>
/// A broker in a process of its own, to be loaded: Mosquitto, or the embedded one served by this program.
/// </summary>
internal sealed class ServedBroker : IAsyncDisposable
{
    private readonly IAsyncDisposable _owner;
    private readonly TemporaryDirectory? _directory;

    private ServedBroker(IAsyncDisposable owner, TemporaryDirectory? directory, WireEndpoint endpoint, int processId) =>
        (_owner, _directory, Endpoint, ProcessId) = (owner, directory, endpoint, processId);

    public WireEndpoint Endpoint { get; }

    public int ProcessId { get; }

    public static async Task<ServedBroker> StartMosquittoAsync(bool tls)
    {
        var specification = BrokerSpecification.Parse(tls ? "mosquitto:tuned:tls" : "mosquitto:tuned");
        var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            specification,
            CancellationToken.None
        );
        return new ServedBroker(broker, null, broker.Endpoint, broker.ProcessId!.Value);
    }

    public static async Task<ServedBroker> StartEmbeddedAsync(bool tls)
    {
        var directory = new TemporaryDirectory();
        string[] arguments = tls ? ["serve", .. Both(ThrowAwayCertificate.Write(directory.Path))] : ["serve"];
        var program = Environment.ProcessPath!;
        var isHost = Path.GetFileNameWithoutExtension(program) == "dotnet";
        var child = ChildProcess.StartWatching(
            new BrokerCommand(
                program,
                isHost ? ["exec", typeof(ServedBroker).Assembly.Location, .. arguments] : arguments
            )
        );
        var address = IPEndPoint.Parse(await child.FirstLine ?? throw new BrokerException(child.Output));
        var endpoint = new WireEndpoint(address)
        {
            Tls = tls ? new TlsClientOptions { TrustedRoots = ThrowAwayCertificate.Read(directory.Path) } : null,
        };
        return new ServedBroker(child, directory, endpoint, (await child.ProcessId)!.Value);
    }

    /// <summary>
    /// The command <c>serve [CERTIFICATE KEY]</c>: prints its address and serves until its input ends.
    /// </summary>
    public static async Task<int> ServeAsync(string[] arguments)
    {
        var options = new EmbeddedBrokerOptions
        {
            Broker = new BrokerOptions
            {
                Limits = new BrokerLimits { Connections = 20_000, Sessions = 20_000 },
            },
            MoreListeners = arguments is [var certificate, var key]
                ?
                [
                    new WireListener(new(IPAddress.Loopback, 0))
                    {
                        Tls = new TlsServerOptions(PemFiles.ReadCertificateWithKey(certificate, key, "serve")),
                    },
                ]
                : [],
        };
        await using var broker = EmbeddedBroker.Start(options);
        Console.WriteLine(broker.MoreAddresses is [var secure] ? secure : broker.Address);
        await Console.OpenStandardInput().CopyToAsync(Stream.Null);
        return 0;
    }

    public async ValueTask DisposeAsync()
    {
        await _owner.DisposeAsync();
        if (_directory is not null)
            await _directory.DisposeAsync();
    }

    private static string[] Both((string Certificate, string Key) files) => [files.Certificate, files.Key];
}
