using System.Net;
using System.Net.Sockets;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using MqttCheck.Shards;
using MqttCheck.Workers.Computing;
using MqttCheck.Workers.Joining;
using Orleans.Configuration;
using Orleans.Hosting;
using StackExchange.Redis;

namespace MqttCheck.Workers.Hosting;

/// <summary>A worker: a process that computes shards for any coordinator that reaches it.</summary>
internal sealed class WorkerHost(IHost host, IPEndPoint coordinators, Socket? claim) : IAsyncDisposable
{
    private const int LowestPort = 12_768;
    private const int ConsideredPairs = 10_000;

    /// <summary>The address at which coordinators reach it.</summary>
    public IPEndPoint Coordinators { get; } = coordinators;

    /// <summary>Whether it keeps the list of workers, so that the others end with it.</summary>
    public bool IsFirst => claim is not null;

    /// <summary>Cancelled when the worker has ended by itself.</summary>
    public CancellationToken Ended => host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping;

    /// <summary>Starts a worker.</summary>
    /// <param name="options">How it runs.</param>
    /// <param name="catalogue">The kinds of job that it computes.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">A value is not allowed.</exception>
    /// <exception cref="WorkerException">It cannot join, or a port is taken.</exception>
    public static async Task<WorkerHost> StartAsync(
        WorkerOptions options,
        JobCatalogue catalogue,
        CancellationToken cancellation
    )
    {
        options.Security.RequireFor(options.Listen);
        if (
            options.Join.First is { } first
            && first.Address.Equals(options.Listen)
            && IsFree(first)
            && Claim(first) is { } claim
        )
        {
            try
            {
                return await StartAsync(options, catalogue, claim, cancellation);
            }
            catch
            {
                claim.Dispose();
                throw;
            }
        }
        return await StartAsync(options, catalogue, claim: null, cancellation);
    }

    private static async Task<WorkerHost> StartAsync(
        WorkerOptions options,
        JobCatalogue catalogue,
        Socket? claim,
        CancellationToken cancellation
    )
    {
        var isFirst = claim is not null;
        var port = isFirst ? options.Join.First!.Port : options.Port ?? FreePair(options.Listen);
        if (!isFirst && options.Join.First is { } list)
            await RequireAsync(list, options, cancellation);
        var host = new HostBuilder()
            .ConfigureLogging(logging => logging.ClearProviders())
            .UseOrleans(silo =>
            {
                Configure(silo, options.Join);
                silo.ConfigureEndpoints(options.Listen, port, port + 1);
                silo.Secure(options.Security);
                silo.Services.AddSingleton(catalogue);
                silo.Services.AddSingleton(options.Clock);
                silo.Services.AddSingleton<JobStore>();
                silo.Services.AddSingleton<PartStore>();
                silo.Services.AddSingleton(_ => new ComputingSlots(options.Slots));
                silo.Services.AddSingleton(options.Identity ?? SoftwareIdentity.Of(catalogue));
            })
            // The process that hosts the worker handles signals.
            .ConfigureServices(services => services.AddSingleton<IHostLifetime, NoLifetime>())
            .Build();
        try
        {
            await host.StartAsync(cancellation);
        }
        catch (Exception failure)
            when (failure is not OperationCanceledException || !cancellation.IsCancellationRequested)
        {
            await StopAsync(host);
            throw CannotJoin(options.Join, failure);
        }
        return new(host, new(options.Listen, port + 1), claim);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync(host);
        claim?.Dispose();
    }

    private static void Configure(ISiloBuilder silo, WorkerAddress join)
    {
        if (join.RedisOptions is { } redis)
            silo.UseRedisClustering(options => options.ConfigurationOptions = redis);
        else
            silo.UseDevelopmentClustering(join.First!);
        silo.Configure<ClusterOptions>(options => options.ClusterId = options.ServiceId = Cluster.Name);
        // A worker that does not answer for three seconds is declared dead, by the vote of one other.
        silo.Configure<ClusterMembershipOptions>(options =>
        {
            options.ProbeTimeout = TimeSpan.FromSeconds(1);
            options.NumMissedProbesLimit = 3;
            options.NumVotesForDeathDeclaration = 1;
            options.TableRefreshTimeout = TimeSpan.FromSeconds(5);
            options.IAmAliveTablePublishTimeout = TimeSpan.FromSeconds(5);
            options.NumMissedTableIAmAliveLimit = 2;
            options.MaxJoinAttemptTime = TimeSpan.FromSeconds(30);
            options.DefunctSiloExpiration = TimeSpan.FromMinutes(10);
        });
    }

    private static async Task RequireAsync(IPEndPoint first, WorkerOptions options, CancellationToken cancellation)
    {
        if (await WorkerProbe.PatientRefusalAsync(first, options.Security, cancellation) is { } refusal)
            throw new WorkerException($"the worker at {options.Join.Text} cannot be joined: {refusal}");
    }

    // Workers that are started at the same moment must agree on the first one, but Orleans lets several processes
    // listen at one port. A UDP port has one owner, and the system frees it when the process is killed.
    private static Socket? Claim(IPEndPoint first)
    {
        var claim = new Socket(first.AddressFamily, SocketType.Dgram, ProtocolType.Udp);
        try
        {
            claim.Bind(first);
            return claim;
        }
        catch (SocketException)
        {
            claim.Dispose();
            return null;
        }
    }

    private static WorkerException CannotJoin(WorkerAddress join, Exception failure)
    {
        for (var cause = failure; cause is not null; cause = cause.InnerException)
        {
            if (cause is RedisException redis)
                return new(WorkerProbe.NoRedis(join, redis), failure);
            if (cause is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse })
                return new(
                    $"the port is taken: {cause.Message}; allowed with --port: one that is free, as the next one has "
                        + "to be",
                    failure
                );
        }
        return new(
            $"the workers at {join.Text} cannot be joined: {failure.Message}; allowed: the "
                + "address, the certificate and the key of the other workers",
            failure
        );
    }

    private static async Task StopAsync(IHost host)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5));
        try
        {
            await host.StopAsync(patience.Token);
        }
        catch (Exception)
        {
            // The host ends in any case; its unfinished shards are computed again elsewhere.
        }
        if (host is IAsyncDisposable disposable)
            await disposable.DisposeAsync();
        else
            host.Dispose();
    }

    private static bool IsFree(IPEndPoint endpoint)
    {
        try
        {
            using var listener = new TcpListener(endpoint);
            listener.Start();
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }

    // The system assigns no ports below 32768 by itself, so a busy client elsewhere takes none of these. Workers that
    // start together begin at different ports.
    private static int FreePair(IPAddress address)
    {
        for (var attempt = 0; attempt < ConsideredPairs; attempt++)
        {
            var port = LowestPort + 2 * ((Environment.ProcessId + attempt) % ConsideredPairs);
            if (IsFree(new(address, port)) && IsFree(new(address, port + 1)))
                return port;
        }
        throw new WorkerException($"no two neighbouring ports are free on {address} from {LowestPort} to 32767");
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
