using System.Net;
using MqttCheck.Brokers.Fleets.Parts;
using MqttCheck.Brokers.Loads.Parts;
using MqttCheck.Brokers.Wire;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Tests.Fleets.Parts;

/// <summary>Workers in this process, without what carries their words: parts that call each other.</summary>
internal sealed class LocalCrew(int workers) : IPartRunner, IPartCrew
{
    private IRunPart[] _parts = [];

    /// <summary>What a worker's clock is ahead of what the coordinator thinks that it is.</summary>
    public long[] ClockErrors { get; } = new long[workers];

    /// <summary>Loses a part when it returns true, asked whenever something is taken; null for never.</summary>
    public Func<int, bool>? Loses { get; set; }

    /// <summary>How long the news of a part take to the others.</summary>
    public TimeSpan Way { get; set; }

    public IReadOnlyList<IPEndPoint> Workers =>
        [.. Enumerable.Range(1, workers).Select(port => new IPEndPoint(IPAddress.Loopback, port))];

    public int Parts => _parts.Length;

    public Task<IPartCrew> PrepareAsync(string kind, IReadOnlyList<byte[]> descriptions, CancellationToken cancellation)
    {
        var parts = new IRunPart[descriptions.Count];
        for (var part = 0; part < parts.Length; part++)
            parts[part] = Prepare(kind, descriptions[part], (to, notes) => Send(parts[to], notes));
        _parts = parts;
        return Task.FromResult<IPartCrew>(this);
    }

    public Task<IReadOnlyList<PartClock>> MeasureClocksAsync() =>
        Task.FromResult<IReadOnlyList<PartClock>>([.. _parts.Select(_ => new PartClock(0, 1000))]);

    public Task<long> BeginAsync(IReadOnlyList<PartClock> clocks, TimeSpan lead)
    {
        var start = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(lead);
        for (var part = 0; part < _parts.Length; part++)
            _parts[part].Begin(start - ClockErrors[part], PartClock.LargestDisagreement(clocks));
        return Task.FromResult(start);
    }

    public Task<byte[]> TakeAsync(int part)
    {
        if (Loses?.Invoke(part) != true)
            return Task.FromResult(_parts[part].Take());
        _parts[part].Dispose();
        throw new PartLostException($"worker {part} did not answer");
    }

    public Task StopAsync(bool atOnce)
    {
        foreach (var part in _parts)
            part.Stop(atOnce);
        return Task.CompletedTask;
    }

    public string NameOf(int part) => $"worker {part}";

    public ValueTask DisposeAsync()
    {
        foreach (var part in _parts)
            part.Dispose();
        return ValueTask.CompletedTask;
    }

    private static IRunPart Prepare(string kind, byte[] description, Action<int, byte[]> send) =>
        kind == SharedLoadPart.Kind
            ? SharedLoadPart.Prepare(description, _ => ClientKind.Own)
            : FleetPart.Prepare(description, send, _ => ClientKind.Own);

    private void Send(IRunPart to, byte[] notes)
    {
        if (Way == TimeSpan.Zero)
            to.Receive(notes);
        else
            Task.Delay(Way).ContinueWith(_ => to.Receive(notes), TaskScheduler.Default);
    }
}
