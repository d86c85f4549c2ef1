using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace MqttCheck.Server.Hosting;

/// <summary>The what-if page and its API, served with ASP.NET Core.</summary>
internal sealed class WhatIfServer : IAsyncDisposable
{
    private const int Connections = 256;
    private const int HeaderBytes = 16_384;
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan s_shutdown = TimeSpan.FromSeconds(1);

    private readonly WebApplication _application;
    private readonly CancellationTokenSource _stopping;

    private WhatIfServer(
        WebApplication application,
        CancellationTokenSource stopping,
        Simulations simulations,
        AccessGuard guard,
        IPEndPoint endpoint
    ) =>
        (_application, _stopping, Simulations, Guard, Endpoint) = (application, stopping, simulations, guard, endpoint);

    /// <summary>The address that it listens on.</summary>
    public IPEndPoint Endpoint { get; }

    /// <summary>Who may come in.</summary>
    public AccessGuard Guard { get; }

    public Simulations Simulations { get; }

    /// <summary>The address to open, with the token.</summary>
    public string Address => $"http://{AccessGuard.HostOf(Endpoint)}/?token={Guard.Token}";

    /// <summary>Starts to serve.</summary>
    /// <exception cref="IOException">The address cannot be listened on.</exception>
    public static async Task<WhatIfServer> StartAsync(WhatIfOptions options, CancellationToken cancellation)
    {
        // Nothing is read from files or the environment: what is served depends on the command alone.
        var builder = WebApplication.CreateEmptyBuilder(new());
        builder.WebHost.UseKestrelCore().ConfigureKestrel(kestrel => Limit(kestrel, options));
        builder.Services.AddSingleton<IHostLifetime, NoLifetime>();
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = s_shutdown);
        var application = builder.Build();
        var stopping = new CancellationTokenSource();
        var simulations = new Simulations(options);
        var routes = new Endpoints(options, simulations, stopping.Token).Routes;
        AccessGuard? guard = null;
        application.Run(context => AnswerAsync(context, guard!, routes, stopping.Token));
        try
        {
            await application.StartAsync(cancellation);
        }
        catch (Exception failure) when (failure is SocketException or AddressInUseException)
        {
            throw new IOException($"{options.Listen} cannot be listened on: {failure.Message}", failure);
        }
        var addresses = application.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!;
        var endpoint = new IPEndPoint(options.Listen.Address, new Uri(addresses.Addresses.First()).Port);
        guard = new AccessGuard(options.Token, endpoint);
        return new(application, stopping, simulations, guard, endpoint);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        await _application.StopAsync();
        await _application.DisposeAsync();
        Simulations.Dispose();
        _stopping.Dispose();
    }

    private static void Limit(KestrelServerOptions kestrel, WhatIfOptions options)
    {
        kestrel.AddServerHeader = false;
        kestrel.Limits.MaxRequestBodySize = options.BodyBytes;
        kestrel.Limits.MaxConcurrentConnections = Connections;
        kestrel.Limits.MaxRequestHeadersTotalSize = HeaderBytes;
        kestrel.Limits.RequestHeadersTimeout = s_patience;
        kestrel.Listen(options.Listen, listen => listen.Protocols = HttpProtocols.Http1);
    }

    private static async Task AnswerAsync(
        HttpContext context,
        AccessGuard guard,
        IReadOnlyList<Route> routes,
        CancellationToken stopping
    )
    {
        AccessGuard.Protect(context.Response);
        try
        {
            if (!guard.Answer(context))
                await Find(context.Request, routes).Answer(context);
        }
        catch (Refusal refusal)
        {
            await RefuseAsync(context, refusal.Status, refusal.Message);
        }
        catch (InputException wrong)
        {
            await RefuseAsync(context, StatusCodes.Status400BadRequest, wrong.Message);
        }
        catch (Microsoft.AspNetCore.Http.BadHttpRequestException wrong)
        {
            await RefuseAsync(context, wrong.StatusCode, wrong.Message);
        }
        catch (Exception gone) when (gone is OperationCanceledException or IOException)
        {
            // Nobody waits for an answer, or the question was replaced.
            if (context.Response.HasStarted || stopping.IsCancellationRequested)
                context.Abort();
            else
                await RefuseAsync(context, StatusCodes.Status409Conflict, "The page has asked a newer question.");
        }
    }

    private static Route Find(HttpRequest request, IReadOnlyList<Route> routes)
    {
        var path = request.Path.Value ?? "/";
        var here = routes.Where(route => route.Takes(path)).ToArray();
        if (here.Length == 0)
            throw new Refusal(StatusCodes.Status404NotFound, "There is nothing at this path; see /api/openapi.json.");
        return here.FirstOrDefault(route => route.Method == request.Method)
            ?? throw new Refusal(
                StatusCodes.Status405MethodNotAllowed,
                $"The method is not allowed here; allowed: {string.Join(", ", here.Select(route => route.Method))}."
            );
    }

    private static Task RefuseAsync(HttpContext context, int status, string reason)
    {
        if (context.Response.HasStarted)
        {
            context.Abort();
            return Task.CompletedTask;
        }
        context.Response.StatusCode = status;
        return Endpoints.JsonAsync(context, new Reason(reason));
    }

    private sealed class NoLifetime : IHostLifetime
    {
        public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task WaitForStartAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
