using System.Diagnostics;
using MqttCheck.Workers.Joining;
using Orleans.Concurrency;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// The parts of live runs at this worker. It is a stateless worker for the same reason as <see cref="WorkerGrain"/>.
/// </summary>
[Reentrant]
[StatelessWorker(1)]
internal sealed class PartGrain(PartStore parts, SoftwareIdentity identity, WorkerClock clock) : Grain, IPartGrain
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(20),
        s_pause = TimeSpan.FromMilliseconds(200);

    /// <inheritdoc/>
    public async Task<string?> PrepareAsync(string key, string kind, byte[] description, int count, string software)
    {
        if (software != identity.Key)
            return "the worker was started anew with other software";
        try
        {
            parts.Prepare(key, kind, description, count);
        }
        catch (InputException wrong)
        {
            return wrong.Message;
        }
        if (count > 1)
            await OpenPostAsync(key);
        return null;
    }

    /// <inheritdoc/>
    public Task<long> ClockAsync() => Task.FromResult(clock.MonotonicNanoseconds);

    /// <inheritdoc/>
    public Task BeginAsync(string key, long startNanoseconds, long boundNanoseconds)
    {
        parts.Find(key, isAsked: true)?.Begin(clock.TrueNanoseconds(startNanoseconds), boundNanoseconds);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<byte[]?> TakeAsync(string key) => Task.FromResult(parts.Find(key, isAsked: true)?.Take());

    /// <inheritdoc/>
    public Task StopAsync(string key, bool atOnce)
    {
        parts.Find(key, isAsked: true)?.Stop(atOnce);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task ForgetAsync(string key)
    {
        parts.Forget(key);
        return Task.CompletedTask;
    }

    // After the death of a worker Orleans may take some seconds to learn where grains are.
    private async Task OpenPostAsync(string key)
    {
        var started = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                await GrainFactory.GetGrain<IPartPostGrain>(key).OpenAsync();
                return;
            }
            catch (Exception) when (Stopwatch.GetElapsedTime(started) < s_patience)
            {
                await Task.Delay(s_pause);
            }
        }
    }
}
