using System.Net;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using MqttCheck.Workers.Joining;
using Orleans.Configuration;
using Orleans.Hosting;
using Orleans.Messaging;
using Orleans.Runtime;
using StackExchange.Redis;

namespace MqttCheck.Workers.Coordinating;

/// <summary>The list of workers, which Orleans keeps in Redis or in the first worker.</summary>
internal sealed class WorkerDirectory : IAsyncDisposable
{
    private readonly WorkerAddress _address;
    private readonly IHost? _redis;
    private readonly IGatewayListProvider? _gateways;
    private bool _isInitialised;

    public WorkerDirectory(WorkerAddress address)
    {
        _address = address;
        if (address.RedisOptions is not { } options)
            return;
        // The host is never started. Only its reader of the list is used, which asks Redis itself, whichever workers
        // live.
        _redis = new HostBuilder()
            .ConfigureLogging(logging => logging.ClearProviders())
            .UseOrleansClient(client =>
            {
                client.UseRedisClustering(redis => redis.ConfigurationOptions = options);
                client.Configure<ClusterOptions>(cluster => cluster.ClusterId = cluster.ServiceId = Cluster.Name);
            })
            .Build();
        _gateways = _redis.Services.GetRequiredService<IGatewayListProvider>();
    }

    /// <summary>
    /// The address at which coordinators reach the worker that keeps the list; null if Redis keeps it.
    /// </summary>
    public IPEndPoint? First => _address.First is { } first ? new IPEndPoint(first.Address, first.Port + 1) : null;

    /// <summary>The addresses at which a coordinator reaches the workers.</summary>
    /// <param name="first">A factory for calls of the first worker; null if it does not answer.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="WorkerException">Redis does not serve.</exception>
    public async Task<IReadOnlyList<IPEndPoint>> ListAsync(IGrainFactory? first, CancellationToken cancellation)
    {
        if (_gateways is null)
            return first is null ? [First!] : await OfFirstAsync(first);
        try
        {
            if (!_isInitialised)
                await _gateways.InitializeGatewayListProviderAsync(cancellation);
            _isInitialised = true;
            return
            [
                .. (await _gateways.GetGatewaysAsync(cancellation)).Select(gateway =>
                    gateway.ToGatewayAddress()!.Endpoint
                ),
            ];
        }
        catch (Exception failure) when (Redis(failure) is { } cause)
        {
            throw new WorkerException(WorkerProbe.NoRedis(_address, cause), failure);
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        _redis?.Dispose();
        return ValueTask.CompletedTask;
    }

    private static RedisException? Redis(Exception failure)
    {
        for (var cause = failure; cause is not null; cause = cause.InnerException)
            if (cause is RedisException redis)
                return redis;
        return null;
    }

    private static async Task<IReadOnlyList<IPEndPoint>> OfFirstAsync(IGrainFactory first)
    {
        var hosts = await first.GetGrain<IManagementGrain>(0).GetDetailedHosts(onlyActive: true);
        return [.. hosts.Select(host => new IPEndPoint(host.SiloAddress.Endpoint.Address, host.ProxyPort))];
    }
}
