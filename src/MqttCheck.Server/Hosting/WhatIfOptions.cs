using System.Net;
using MqttCheck.Server.Live;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;

namespace MqttCheck.Server.Hosting;

/// <summary>The options of the server: its address, its access, and the models and broker that it offers.</summary>
internal sealed record WhatIfOptions
{
    /// <summary>The address that it listens on. Default a free port of this machine alone.</summary>
    public IPEndPoint Listen { get; init; } = new(IPAddress.Loopback, 0);

    /// <summary>The secret that a browser must know; null for a new one.</summary>
    public string? Token { get; init; }

    /// <summary>The models that it offers.</summary>
    public required ModelShelf Models { get; init; }

    /// <summary>The live broker; null where nothing can be verified.</summary>
    public ILiveBroker? Live { get; init; }

    /// <summary>The directory that files are written to.</summary>
    public required string Output { get; init; }

    /// <summary>Who computes simulations; null for the threads of this process.</summary>
    public IShardRunner? Runner { get; init; }

    /// <summary>The version of the tool.</summary>
    public required string ToolVersion { get; init; }

    /// <summary>How many pages may simulate at once; others wait.</summary>
    public int Simulations { get; init; } = 2;

    /// <summary>How many event streams may be open.</summary>
    public int EventStreams { get; init; } = 32;

    /// <summary>The largest body of a request, in bytes.</summary>
    public int BodyBytes { get; init; } = 1_048_576;

    /// <summary>The largest log, in bytes: some half a million exchanges.</summary>
    public int LogBytes { get; init; } = 67_108_864;

    /// <summary>Is called before each event is sent: tests delay one.</summary>
    internal Func<string, object, CancellationToken, Task>? BeforeEvent { get; init; }
}
