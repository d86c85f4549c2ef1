using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Embedded;

/// <summary>The embedded broker, served by one thread of its own.</summary>
internal sealed class EmbeddedBroker : IBrokerUnderTest
{
    private readonly BrokerHost _host;
    private readonly WireRunner _thread;
    private readonly EmbeddedBrokerOptions _options;

    private EmbeddedBroker(IWire wire, EmbeddedBrokerOptions options)
    {
        _options = options;
        _host = new BrokerHost(wire, options);
        Address = _host.Listen(new WireListener(options.Address));
        MoreAddresses = [.. options.MoreListeners.Select(_host.Listen)];
        _thread = new WireRunner(wire, "broker");
        _thread.Start();
    }

    /// <inheritdoc/>
    public IPEndPoint Address { get; }

    /// <summary>The addresses of <see cref="EmbeddedBrokerOptions.MoreListeners"/>, in their order.</summary>
    public IReadOnlyList<IPEndPoint> MoreAddresses { get; }

    /// <inheritdoc/>
    public Credentials? Credentials => _options.Credentials;

    /// <inheritdoc/>
    public string? Failure => _thread.Failure;

    /// <inheritdoc/>
    public BrokerDescription Description =>
        new()
        {
            Name = "embedded",
            Version = typeof(EmbeddedBroker).Assembly.GetName().Version?.ToString(3) ?? "unknown",
            Settings = "default",
            Details = new Dictionary<string, string>
            {
                ["nodelay"] = "true",
                ["delay"] = _options.Delays.ToString(),
                ["faults"] = _options.Broker.Faults.ToString(),
            },
        };

    /// <summary>Ends when the broker has stopped.</summary>
    public Task Completion => _thread.Completion;

    /// <summary>Starts a broker on the wire that fits the machine.</summary>
    /// <param name="options">Its features, limits and addresses.</param>
    /// <exception cref="BrokerException">The address cannot be served: port in use, no permission.</exception>
    /// <exception cref="InputException">A limit is out of its range.</exception>
    public static EmbeddedBroker Start(EmbeddedBrokerOptions options) =>
        Start(options, WireFactory.Create(new WireOptions { MaximumPendingBytes = MaximumPendingBytes(options) }));

    /// <summary>Starts a broker.</summary>
    /// <param name="options">Its features, limits and addresses.</param>
    /// <param name="wire">
    /// The wire that carries it. It is run by nobody else, and disposed when the broker has stopped.
    /// </param>
    /// <exception cref="BrokerException">The address cannot be served: port in use, no permission.</exception>
    /// <exception cref="InputException">A limit is out of its range.</exception>
    public static EmbeddedBroker Start(EmbeddedBrokerOptions options, IWire wire)
    {
        try
        {
            return new EmbeddedBroker(wire, options);
        }
        catch (WireException exception)
        {
            wire.Dispose();
            throw new BrokerException($"The embedded broker does not start. {exception.Message}", exception);
        }
        catch
        {
            wire.Dispose();
            throw;
        }
    }

    /// <summary>The counters of the broker, as its own thread sees them.</summary>
    public async Task<BrokerCounters> GetCountersAsync()
    {
        var answer = new TaskCompletionSource<BrokerCounters>(TaskCreationOptions.RunContinuationsAsynchronously);
        _thread.Wire.Post(() => answer.TrySetResult(_host.Counters));
        await Task.WhenAny(answer.Task, Completion).ConfigureAwait(false);
        return answer.Task.IsCompletedSuccessfully
            ? await answer.Task.ConfigureAwait(false)
            : throw new BrokerException("The embedded broker has stopped.");
    }

    /// <summary>Tells all clients, closes their connections, and ends the thread.</summary>
    public Task StopAsync() => _thread.EndAsync(_host.Shutdown);

    /// <summary>Stops the broker.</summary>
    public async ValueTask DisposeAsync() => await StopAsync().ConfigureAwait(false);

    // The limit leaves room for the bytes below the congestion mark, two of the largest packets, and answers.
    private static int MaximumPendingBytes(EmbeddedBrokerOptions options) =>
        (int)Math.Clamp(BrokerHost.CongestedBytes + (2L * options.Broker.Limits.PacketBytes), 64L << 20, 1L << 30);
}
