using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Captures.Logs;
using MqttCheck.LiveClusters.Links;

namespace MqttCheck.Captures.Taps;

/// <summary>Passes connections of clients on to a broker, unchanged, and logs their exchanges.</summary>
internal sealed class Tap : IAsyncDisposable
{
    private const int Clients = 0;
    private const int Broker = 1;

    private readonly TapBook _book;
    private readonly WireRunner _runner;

    private Tap(TapBook book, WireRunner runner, IPEndPoint address)
    {
        (_book, _runner, Address) = (book, runner, address);
    }

    /// <summary>The address where clients connect.</summary>
    public IPEndPoint Address { get; }

    /// <summary>Ends when the tap passes nothing on any more.</summary>
    public Task Completion => _runner.Completion;

    /// <summary>Null, or how the tap failed.</summary>
    public string? Failure => _runner.Failure;

    /// <summary>How many connections ended because the broker did not answer.</summary>
    public int TurnedAway => _book.TurnedAway;

    /// <summary>Begins to pass connections on.</summary>
    /// <param name="setup">Between whom.</param>
    /// <exception cref="WireException">The address cannot be served.</exception>
    public static Tap Start(TapSetup setup)
    {
        var wire = WireFactory.Create(new WireOptions { MaximumPendingBytes = 64 << 20 });
        TapBook? book = null;
        try
        {
            book = new TapBook(setup);
            var network = new LinkNetwork(wire, observer: null) { Streams = book };
            network.Add(Clients, Broker, new LinkLaw(), seed: 0);
            network.SetTarget(Clients, Broker, setup.Target);
            var address = network.Listen(Clients, Broker, setup.Listener);
            var runner = new WireRunner(wire, "tap");
            runner.Start();
            return new(book, runner, address);
        }
        catch
        {
            wire.Dispose();
            book?.EndAsync().GetAwaiter().GetResult();
            throw;
        }
    }

    /// <summary>Ends all connections, and the log.</summary>
    /// <returns>The result; null if no MQTT passed, and nothing was written.</returns>
    public async Task<CaptureSummary?> EndAsync()
    {
        await _runner.DisposeAsync().ConfigureAwait(false);
        return await _book.EndAsync().ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _runner.DisposeAsync().ConfigureAwait(false);
        _book.Dispose();
    }
}
