using MqttCheck.Brokers.Wire;
using MqttCheck.Logs;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>The clients of a fleet that one worker has, on a thread of their own.</summary>
public sealed class FleetPart : IRunPart
{
    /// <summary>The name of this kind of live run.</summary>
    public const string Kind = "fleet";

    private readonly FleetPeers _peers;
    private readonly FleetRun _run;
    private readonly CancellationTokenSource _orderly = new(),
        _atOnce = new();
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Task _ended;
    private readonly Relay _progress = new();
    private FleetRunResult? _result;
    private Exception? _failure;

    private FleetPart(FleetSetup setup, FleetShare share, Action<int, byte[]> send)
    {
        _peers = new(share, send);
        _run = new(setup, new Nowhere(), _progress);
        _ended = Task.Factory.StartNew(
            Run,
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
    }

    /// <summary>Prepares a part; see <see cref="PartStart"/>.</summary>
    /// <param name="description">What <see cref="SharedFleetRunner"/> wrote.</param>
    /// <param name="send">Sends notes to another part.</param>
    /// <param name="client">Finds the MQTT client of a name.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static IRunPart Prepare(byte[] description, Action<int, byte[]> send, Func<string, ClientKind> client)
    {
        var (setup, share) = FleetPartText.Read(description, client);
        return new FleetPart(setup, share, send);
    }

    /// <inheritdoc/>
    public void Begin(long startNanoseconds, long boundNanoseconds)
    {
        _peers.Begin(startNanoseconds, boundNanoseconds);
        _begun.TrySetResult();
    }

    /// <inheritdoc/>
    public void Receive(byte[] notes) => _peers.Receive(notes);

    /// <inheritdoc/>
    public byte[] Take()
    {
        // Asked before the log is taken: what is logged later is taken by a later call.
        var isOver = _ended.IsCompleted;
        var (exchanges, lost, mark) = _peers.Log.Take();
        return new PartReport
        {
            Exchanges = exchanges,
            Lost = lost,
            MarkNanoseconds = isOver ? long.MaxValue : mark,
            Progress = _progress.Latest,
            Result = isOver ? _result : null,
            Failure = isOver ? _failure?.Message : null,
            IsInputFailure = isOver && _failure is InputException,
        }.ToBytes();
    }

    /// <inheritdoc/>
    public void Stop(bool atOnce)
    {
        _begun.TrySetCanceled();
        (atOnce ? _atOnce : _orderly).Cancel();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop(atOnce: true);
        _ended.ContinueWith(
            _ =>
            {
                _orderly.Dispose();
                _atOnce.Dispose();
            },
            TaskScheduler.Default
        );
    }

    private void Run()
    {
        try
        {
            // The clients are made when the start is known: the time until then is not part of the run.
            _result = _run.Run(_peers, _ => _begun.Task.GetAwaiter().GetResult(), _orderly.Token, _atOnce.Token);
        }
        catch (Exception failure)
        {
            _failure = failure;
        }
    }

    private sealed class Relay : IProgress<FleetProgress>
    {
        private FleetProgress _latest;
        private readonly Lock _gate = new();

        public FleetProgress Latest
        {
            get
            {
                lock (_gate)
                    return _latest;
            }
        }

        public void Report(FleetProgress value)
        {
            lock (_gate)
                _latest = value;
        }
    }

    // The exchanges go to the log of the part.
    private sealed class Nowhere : IExchangeSink
    {
        public void Append(in Exchange exchange) { }
    }
}
