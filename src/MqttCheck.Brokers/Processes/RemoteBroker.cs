using System.Globalization;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;

namespace MqttCheck.Brokers.Processes;

/// <summary>A broker that runs already, here or on another machine. It goes on when this is disposed.</summary>
internal sealed class RemoteBroker : IBrokerUnderTest
{
    private static readonly TimeSpan AnswerTimeout = TimeSpan.FromSeconds(5);

    private RemoteBroker() { }

    /// <inheritdoc/>
    public required BrokerDescription Description { get; init; }

    /// <inheritdoc/>
    public IPEndPoint Address => Endpoint.Address;

    /// <inheritdoc/>
    public required WireEndpoint Endpoint { get; init; }

    /// <inheritdoc/>
    public required Credentials? Credentials { get; init; }

    /// <summary>Refuses a broker on another machine.</summary>
    /// <param name="specification">The broker.</param>
    /// <param name="elsewhere">Its host or address.</param>
    public static InputException NotAllowed(BrokerSpecification specification, string elsewhere) =>
        new(
            $"Broker {specification.Name}: '{elsewhere}' is not this machine; a load test reaches another one only "
                + "when that is allowed (--allow-remote). Without it: localhost, an address such as 127.0.0.1, or the "
                + "name of this machine."
        );

    /// <summary>Resolves the address of a running broker and asks it to accept a client.</summary>
    /// <param name="specification">The broker, of kind <see cref="BrokerKind.Running"/>.</param>
    /// <param name="options">Credentials, and whether it may be on another machine.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">It is on another machine and that is not allowed.</exception>
    /// <exception cref="BrokerException">Its name is not known, nobody answers, or it refuses.</exception>
    public static async Task<RemoteBroker> ReachAsync(
        BrokerSpecification specification,
        BrokerLaunchOptions options,
        CancellationToken cancellation
    )
    {
        if (!options.AllowRemote && specification.Elsewhere is { } host)
            throw NotAllowed(specification, host);
        var addresses = await ResolveAsync(specification.Host, cancellation);
        if (
            !options.AllowRemote && addresses.FirstOrDefault(address => !IPAddress.IsLoopback(address)) is { } elsewhere
        )
        {
            throw NotAllowed(specification, elsewhere.ToString());
        }
        var problem = "";
        foreach (var address in addresses)
        {
            var endpoint = EndpointOf(specification, options, address);
            problem = await ConnectionProbe.AskAsync(endpoint, options.Credentials, AnswerTimeout, cancellation);
            if (problem is not null)
                continue;
            return new RemoteBroker
            {
                Description = new BrokerDescription
                {
                    Name = specification.Name,
                    Details = new Dictionary<string, string>
                    {
                        [LoggedBroker.TransportKey] = specification.Transport.Scheme(),
                    },
                },
                Endpoint = endpoint,
                Credentials = options.Credentials,
            };
        }
        throw new BrokerException($"Broker {specification.Name} {problem}.");
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static WireEndpoint EndpointOf(
        BrokerSpecification specification,
        BrokerLaunchOptions options,
        IPAddress address
    )
    {
        var host = specification.Host.Contains(':', StringComparison.Ordinal)
            ? $"[{specification.Host}]"
            : specification.Host;
        return new(new IPEndPoint(address, specification.Port))
        {
            Tls = specification.Transport.IsTls()
                ? options.Tls with
                {
                    ServerName = options.Tls.ServerName ?? specification.Host,
                }
                : null,
            WebSocket = specification.Transport.IsWebSocket()
                ? new()
                {
                    Path = specification.Path,
                    Host = string.Create(CultureInfo.InvariantCulture, $"{host}:{specification.Port}"),
                }
                : null,
        };
    }

    private static async Task<IPAddress[]> ResolveAsync(string host, CancellationToken cancellation)
    {
        try
        {
            var addresses = await Dns.GetHostAddressesAsync(host, cancellation);
            if (addresses.Length == 0)
                throw new BrokerException($"Host '{host}' has no address.");
            return addresses;
        }
        catch (SocketException failure)
        {
            throw new BrokerException($"Host '{host}' is not known: {failure.Message}.", failure);
        }
    }
}
