using System.Diagnostics;
using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using MqttCheck.Shards;
using MqttCheck.Workers.Computing;
using MqttCheck.Workers.Joining;
using Orleans.Configuration;
using Orleans.Hosting;

namespace MqttCheck.Workers.Coordinating;

/// <summary>
/// A coordinator's connection to one worker. Each worker has its own, so that a frozen worker does not block calls to
/// others.
/// </summary>
internal sealed class WorkerLink : IAsyncDisposable
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

    private readonly IHost _host;
    private readonly string _software;
    private readonly SemaphoreSlim _offering = new(1);
    private ClockOffset _offset = ClockOffset.Unknown;

    private WorkerLink(IPEndPoint endpoint, IHost host, string software)
    {
        (Endpoint, _host, _software) = (endpoint, host, software);
        Factory = host.Services.GetRequiredService<IClusterClient>();
        Grain = Factory.GetGrain<IWorkerGrain>(0);
    }

    /// <summary>The address of the worker.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>Calls grains by way of the worker.</summary>
    public IGrainFactory Factory { get; }

    /// <summary>The worker.</summary>
    public IWorkerGrain Grain { get; }

    /// <summary>Its latest report; null before the first one.</summary>
    public WorkerPulse? Pulse { get; private set; }

    /// <summary>Whether it was lost in a live run, and has not answered since.</summary>
    public bool IsLost { get; set; }

    /// <summary>The time of its latest report, on the monotonic clock.</summary>
    public long SeenAt { get; private set; } = Stopwatch.GetTimestamp();

    /// <summary>Connects.</summary>
    /// <exception cref="WorkerException">The worker cannot be reached, or refuses.</exception>
    public static async Task<WorkerLink> ConnectAsync(
        IPEndPoint endpoint,
        WorkerSecurity security,
        SoftwareIdentity identity,
        CancellationToken cancellation
    )
    {
        if (await WorkerProbe.RefusalAsync(endpoint, security, cancellation) is { } refusal)
            throw new WorkerException(refusal);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        patience.CancelAfter(s_patience);
        var host = new HostBuilder()
            .ConfigureLogging(logging => logging.ClearProviders())
            .UseOrleansClient(client =>
            {
                client.UseStaticClustering(endpoint);
                client.Configure<ClusterOptions>(options => options.ClusterId = options.ServiceId = Cluster.Name);
                client.Configure<ClientMessagingOptions>(options => options.ResponseTimeout = s_patience);
                client.Configure<ConnectionOptions>(options => options.OpenConnectionTimeout = s_patience);
                client.Secure(security);
            })
            .Build();
        var link = default(WorkerLink);
        try
        {
            await host.StartAsync(patience.Token);
            link = new(endpoint, host, identity.Key);
            await link.AskAsync();
            return link;
        }
        catch (Exception failure)
            when (failure is not OperationCanceledException || !cancellation.IsCancellationRequested)
        {
            host.Dispose();
            throw new WorkerException("what answers there is no worker, or it is frozen", failure);
        }
    }

    /// <summary>The software that it reported.</summary>
    public SoftwareIdentity Identity => new(Pulse!.Version, Pulse.Build, Pulse.Arithmetic, Pulse.System);

    /// <summary>Asks the worker for its state and its clock.</summary>
    public async Task AskAsync()
    {
        var sent = TimeProvider.System.GetUtcNow();
        var started = Stopwatch.GetTimestamp();
        var pulse = await Grain.PulseAsync();
        var roundTrip = Stopwatch.GetElapsedTime(started);
        _offset = _offset.Plus(
            new(
                (pulse.UtcTicks - sent.UtcTicks - roundTrip.Ticks / 2) / (double)TimeSpan.TicksPerMillisecond,
                roundTrip.TotalMilliseconds / 2
            )
        );
        (Pulse, SeenAt, IsLost) = (pulse, Stopwatch.GetTimestamp(), false);
    }

    /// <summary>Lets the worker compute a shard, after announcing the job if the worker does not know it.</summary>
    /// <exception cref="WorkerException">The worker refuses a part of the job.</exception>
    public async Task<ShardAnswer> ComputeAsync(JobDescription job, Shard shard, CancellationToken cancellation)
    {
        while (true)
        {
            var answer = await Grain.ComputeAsync(job.Hash, shard.First, shard.Count, cancellation);
            if (!answer.IsUnknown)
                return answer;
            await OfferAsync(job, cancellation);
        }
    }

    /// <summary>The worker in a list.</summary>
    /// <param name="refusal">Why it is not used; null where it is.</param>
    public WorkerState State(string? refusal) =>
        new(
            Endpoint.ToString(),
            Pulse!.Machine,
            Pulse.ProcessId,
            Pulse.Version,
            Pulse.Slots,
            Pulse.Busy,
            Pulse.Load,
            _offset.Milliseconds,
            _offset.BoundMilliseconds,
            Pulse.Replications,
            refusal
        );

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(2));
        try
        {
            await _host.StopAsync(patience.Token);
        }
        catch (Exception)
        {
            // The worker is gone, or does not answer.
        }
        _host.Dispose();
    }

    private async Task OfferAsync(JobDescription job, CancellationToken cancellation)
    {
        // Several shards may find out at once that the worker does not know the job, but its parts travel only once.
        await _offering.WaitAsync(cancellation);
        try
        {
            var missingParts =
                await Grain.OfferAsync(job.Kind, job.Hash, [.. job.Hashes], _software)
                ?? throw new InvalidOperationException("the worker was started anew with other software");
            foreach (var missing in missingParts)
            {
                var part = job.Hashes.ToList().IndexOf(missing);
                if (await Grain.SupplyAsync(missing, job.Parts[part]) is { } refusal)
                    throw new WorkerException($"the worker at {Endpoint} refuses a part of the job: {refusal}");
            }
        }
        finally
        {
            _offering.Release();
        }
    }
}
