using System.Diagnostics;
using MqttCheck.Shards;
using MqttCheck.Shards.Parts;
using MqttCheck.Workers.Joining;
using Orleans.Concurrency;
using Orleans.Placement;

namespace MqttCheck.Workers.Computing;

/// <summary>
/// Holds a part of a live run. A part whose coordinator has not asked for a while ends: nobody would take its log.
/// </summary>
[Reentrant]
[PreferLocalPlacement]
internal sealed class PartGrain(JobCatalogue catalogue, SoftwareIdentity identity, WorkerClock clock)
    : Grain,
        IPartGrain
{
    private static readonly TimeSpan s_longestSilence = TimeSpan.FromSeconds(15),
        s_watch = TimeSpan.FromSeconds(1);

    private IRunPart? _part;
    private PartPost? _post;
    private long _askedAt = Stopwatch.GetTimestamp();

    /// <inheritdoc/>
    public Task<string?> PrepareAsync(string kind, byte[] description, int parts, string software)
    {
        if (software != identity.Key)
            return Task.FromResult<string?>("the worker was started anew with other software");
        Asked();
        try
        {
            _post = new(GrainFactory, this.GetPrimaryKeyString(), parts);
            _part = catalogue.StartPart(kind, description, _post.Send);
        }
        catch (InputException wrong)
        {
            return Task.FromResult<string?>(wrong.Message);
        }
        this.RegisterGrainTimer(
            WatchAsync,
            new()
            {
                DueTime = s_watch,
                Period = s_watch,
                KeepAlive = true,
            }
        );
        return Task.FromResult<string?>(null);
    }

    /// <inheritdoc/>
    public Task<long> ClockAsync()
    {
        Asked();
        return Task.FromResult(clock.MonotonicNanoseconds);
    }

    /// <inheritdoc/>
    public Task BeginAsync(long startNanoseconds, long boundNanoseconds)
    {
        _part?.Begin(clock.TrueNanoseconds(startNanoseconds), boundNanoseconds);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task ReceiveAsync(byte[] notes)
    {
        _part?.Receive(notes);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task<byte[]?> TakeAsync()
    {
        Asked();
        return Task.FromResult(_part?.Take());
    }

    /// <inheritdoc/>
    public Task StopAsync(bool atOnce)
    {
        _part?.Stop(atOnce);
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public Task ForgetAsync()
    {
        End();
        DeactivateOnIdle();
        return Task.CompletedTask;
    }

    /// <inheritdoc/>
    public override Task OnDeactivateAsync(DeactivationReason reason, CancellationToken cancellationToken)
    {
        End();
        return Task.CompletedTask;
    }

    private void Asked() => _askedAt = Stopwatch.GetTimestamp();

    private Task WatchAsync(CancellationToken cancellation)
    {
        if (Stopwatch.GetElapsedTime(_askedAt) > s_longestSilence)
        {
            End();
            DeactivateOnIdle();
        }
        return Task.CompletedTask;
    }

    private void End()
    {
        _part?.Dispose();
        _post?.Close();
        (_part, _post) = (null, null);
    }
}
