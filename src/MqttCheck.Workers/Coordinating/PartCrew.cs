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

    private PartCrew(IReadOnlyList<WorkerLink> links, IPartGrain[] parts) => (_links, _parts) = (links, parts);

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
        var run = Guid.NewGuid().ToString("N");
        var crew = new PartCrew(
            links,
            [.. descriptions.Select((_, part) => links[part].Factory.GetGrain<IPartGrain>(PartPost.KeyOf(run, part)))]
        );
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
                            await grain.BeginAsync(start + clocks[part].OffsetNanoseconds, bound);
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
                await _parts[part].TakeAsync() ?? throw new PartLostException($"{NameOf(part)} was started anew")
        );

    /// <inheritdoc/>
    public Task StopAsync(bool atOnce) => TryAllAsync(part => part.StopAsync(atOnce));

    /// <inheritdoc/>
    public string NameOf(int part) => $"the worker at {_links[part].Endpoint}";

    /// <inheritdoc/>
    public async ValueTask DisposeAsync() => await TryAllAsync(part => part.ForgetAsync());

    private async Task<string?> PrepareAsync(string kind, byte[] description, int part)
    {
        var software = _links[part].Identity.Key;
        var refusal = await AnswerAsync(
            part,
            () => _parts[part].PrepareAsync(kind, description, _parts.Length, software)
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
            var seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
            throw new PartLostException(
                FormattableString.Invariant($"{NameOf(part)} did not answer for {seconds:0.#} s"),
                failure
            );
        }
    }

    private async Task TryAllAsync(Func<IPartGrain, Task> tell) =>
        await Task.WhenAll(
            _parts.Select(async part =>
            {
                try
                {
                    await tell(part);
                }
                catch (Exception)
                {
                    // It is lost, and so is what it would end.
                }
            })
        );
}
