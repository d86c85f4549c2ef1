using MqttCheck.Brokers.Wire;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>The clients of a fleet that one worker has, on a thread of their own.</summary>
internal sealed class FleetPart : IRunPart
{
    /// <summary>The name of this kind of live run.</summary>
    public const string Kind = "fleet";

    private readonly FleetPeers _peers;
    private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly PartThread<FleetProgress, FleetRunResult> _thread = new();
    private volatile bool _isReady;

    private FleetPart(FleetSetup setup, FleetShare share, Action<int, byte[]> send)
    {
        _peers = new(share, send);
        // The exchanges go to the log of the part.
        var run = new FleetRun(setup, new NoLog(), _thread);
        // The clients are made when the start is known, because the time until then is not part of the run.
        _thread.Start((orderly, atOnce) => run.Run(_peers, _ => AwaitBeginning(), orderly, atOnce));
    }

    /// <summary>Prepares a part; see <see cref="PartStart"/>.</summary>
    /// <param name="description">The bytes that <see cref="SharedFleetRunner"/> wrote.</param>
    /// <param name="send">Sends notes to another part.</param>
    /// <param name="client">Finds the MQTT client of a name.</param>
    /// <exception cref="InputException">The description is malformed.</exception>
    public static IRunPart Prepare(byte[] description, Action<int, byte[]> send, Func<string, ClientKind> client)
    {
        var (setup, share) = PartFields.Read<FleetPartDescription>(description, client);
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
        // The end is read before the log, so that entries logged later are taken by a later call.
        var end = _thread.End;
        var (exchanges, lost, mark) = _peers.Log.Take();
        return new PartReport(
            _isReady,
            MarkNanoseconds: end.IsReached ? long.MaxValue : mark,
            exchanges,
            lost,
            _thread.Latest,
            end
        ).ToBytes();
    }

    /// <inheritdoc/>
    public void Stop(bool atOnce)
    {
        _begun.TrySetCanceled();
        _thread.Stop(atOnce);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _begun.TrySetCanceled();
        _thread.Dispose();
    }

    private void AwaitBeginning()
    {
        _isReady = true;
        _begun.Task.GetAwaiter().GetResult();
    }
}
