using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Wire;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>
/// The clients of a load that one worker has. They connect when it is prepared, and send when it begins.
/// </summary>
internal sealed class SharedLoadPart : IRunPart
{
    /// <summary>The name of this kind of live run.</summary>
    public const string Kind = "load";

    private readonly LoadStart _start = new();
    private readonly PartThread<LoadProgress, LoadResult> _thread = new();

    private SharedLoadPart(LoadSetup setup)
    {
        var run = new LoadRun(setup with { Start = _start }, null, TimeProvider.System, _thread);
        _thread.Start(run.Run);
    }

    /// <summary>Prepares a part; see <see cref="PartStart"/>.</summary>
    /// <param name="description">The bytes that <see cref="SharedLoadRunner"/> wrote.</param>
    /// <param name="client">Finds the MQTT client of a name.</param>
    /// <exception cref="InputException">
    /// The description is malformed, or this machine has not enough for it.
    /// </exception>
    public static IRunPart Prepare(byte[] description, Func<string, ClientKind> client)
    {
        var (setup, rate) = PartFields.Read<LoadPartDescription>(description, client);
        return new SharedLoadPart(setup with { Workload = setup.Workload with { MessagesPerSecond = rate } });
    }

    /// <inheritdoc/>
    public void Begin(long startNanoseconds, long boundNanoseconds) => _start.Begin(startNanoseconds);

    /// <inheritdoc/>
    public void Receive(byte[] notes) { }

    /// <inheritdoc/>
    public byte[] Take() => new LoadPartReport(_start.IsReady, _thread.Latest, _thread.End).ToBytes();

    /// <inheritdoc/>
    public void Stop(bool atOnce) => _thread.Stop(atOnce);

    /// <inheritdoc/>
    public void Dispose() => _thread.Dispose();
}
