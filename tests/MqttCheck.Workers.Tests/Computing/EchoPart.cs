using MqttCheck.Shards.Parts;

namespace MqttCheck.Workers.Tests.Computing;

/// <summary>
/// A part that tells how many notes it got, whether in order, and when it was to begin. It sends what it is described
/// by, number after number, to part 0 as soon as it begins.
/// </summary>
internal sealed class EchoPart(byte[] description, Action<int, byte[]> send) : IRunPart
{
    public const string Kind = "echo";
    public const int Notes = 500;

    private readonly Lock _gate = new();
    private readonly List<byte> _received = [];
    private long _start;

    public static IRunPart Start(byte[] description, Action<int, byte[]> send) =>
        description.Length > 0 ? new EchoPart(description, send) : throw new InputException("an echo of nothing");

    /// <summary>The start that the part was told, on the true clock, and the notes that it got.</summary>
    public static (long StartNanoseconds, byte[] Notes) Read(byte[] taken) =>
        (BitConverter.ToInt64(taken), taken[sizeof(long)..]);

    public void Begin(long startNanoseconds, long boundNanoseconds)
    {
        _start = startNanoseconds;
        for (var i = 0; i < Notes && description[0] > 0; i++)
            send(0, [(byte)i]);
    }

    public void Receive(byte[] notes)
    {
        lock (_gate)
            _received.AddRange(notes);
    }

    public byte[] Take()
    {
        lock (_gate)
            return [.. BitConverter.GetBytes(_start), .. _received];
    }

    public void Stop(bool atOnce) { }

    public void Dispose() { }
}
