using System.Diagnostics;
using MqttCheck.Shards.Parts;
using MqttCheck.Workers.Computing;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Coordinating;

/// <summary>The parts of a live run, each called over the connection to its worker.</summary>
internal sealed class PartCrew : IPartCrew
{
    private const int ClockReadings = 24;

    private readonly IReadOnlyList<WorkerLink> _links;
    private readonly IPartGrain[] _parts;
    private readonly string[] _keys;

    private PartCrew(IReadOnlyList<WorkerLink> links, int parts)
    {
        _links = links;
        _parts = [.. links.Take(parts).Select(link => link.Factory.GetGrain<IPartGrain>(0))];
        var run = Guid.NewGuid().ToString("N");
        _keys = [.. Enumerable.Range(0, parts).Select(part => PartPost.KeyOf(run, part))];
    }

    /// <summary>Prepares a part on each of the first workers.</summary>
    /// <exception cref="InputException">A worker refuses a description.</exception>
    /// <exception cref="PartLostException">A worker does not answer.</exception>
    public static async Task<IPartCrew> PrepareAsync(
        string kind,
        IReadOnlyList<byte[]> descriptions,
        IReadOnlyList<WorkerLink> links,
        CancellationToken cancellation
    )
    {
        var crew = new PartCrew(links, descriptions.Count);
        try
        {
            var refusals = await Task.WhenAll(
                descriptions.Select((description, part) => crew.PrepareAsync(kind, description, part))
            );
            cancellation.ThrowIfCancellationRequested();
            InputException.ThrowIfAny(refusals.OfType<string>());
            return crew;
        }
        catch
        {
            await crew.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public int Parts => _parts.Length;

    /// <inheritdoc/>
    public async Task<IReadOnlyList<PartClock>> MeasureClocksAsync() =>
        await Task.WhenAll(Enumerable.Range(0, _parts.Length).Select(MeasureClockAsync));

    /// <inheritdoc/>
    public async Task<long> BeginAsync(IReadOnlyList<PartClock> clocks, TimeSpan lead)
    {
        var start = WorkerClock.True.MonotonicNanoseconds + lead.Ticks * TimeSpan.NanosecondsPerTick;
        var bound = PartClock.LargestDisagreement(clocks);
        await Task.WhenAll(
            _parts.Select(
                (grain, part) =>
                    AnswerAsync(
                        part,
                        async () =>
                        {
                            await grain.BeginAsync(_keys[part], start + clocks[part].OffsetNanoseconds, bound);
                            return true;
                        }
                    )
            )
        );
        return start;
    }

    /// <inheritdoc/>
    public Task<byte[]> TakeAsync(int part) =>
        AnswerAsync(
            part,
            async () =>
                await _parts[part].TakeAsync(_keys[part])
                ?? throw new PartLostException($"{NameOf(part)} was started anew")
        );

    /// <inheritdoc/>
    public Task StopAsync(bool atOnce) => TryAllAsync((grain, key) => grain.StopAsync(key, atOnce));

    /// <inheritdoc/>
    public string NameOf(int part) => $"the worker at {_links[part].Endpoint}";

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await TryAllAsync((grain, key) => grain.ForgetAsync(key));

    private async Task<string?> PrepareAsync(string kind, byte[] description, int part)
    {
        var software = _links[part].Identity.Key;
        var refusal = await AnswerAsync(
            part,
            () => _parts[part].PrepareAsync(_keys[part], kind, description, _parts.Length, software)
        );
        return refusal is null ? null : $"{NameOf(part)}: {refusal}";
    }

    private async Task<PartClock> MeasureClockAsync(int part)
    {
        var best = new PartClock(0, long.MaxValue);
        for (var i = 0; i < ClockReadings; i++)
        {
            var sent = WorkerClock.True.MonotonicNanoseconds;
            var there = await AnswerAsync(part, _parts[part].ClockAsync);
            var roundTrip = WorkerClock.True.MonotonicNanoseconds - sent;
            var bound = (roundTrip + 1) / 2;
            if (bound < best.BoundNanoseconds)
                best = new(there - sent - roundTrip / 2, bound);
        }
        return best;
    }

    private async Task<T> AnswerAsync<T>(int part, Func<Task<T>> ask)
    {
        var started = Stopwatch.GetTimestamp();
        try
        {
            return await ask();
        }
        catch (Exception failure) when (failure is not PartLostException)
        {
            _links[part].IsLost = true;
            var seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            throw new PartLostException(
                seconds < 1
                    ? $"the connection to {NameOf(part)} broke"
                    : FormattableString.Invariant($"{NameOf(part)} did not answer for {seconds:0.#} s"),
                failure
            );
        }
    }

    private async Task TryAllAsync(Func<IPartGrain, string, Task> tell) =>
        await Task.WhenAll(
            _parts.Zip(
                _keys,
                async (grain, key) =>
                {
                    try
                    {
                        await tell(grain, key);
                    }
                    catch (Exception)
                    {
                        // The worker is lost, and so is its part.
                    }
                }
            )
        );
}
