using System.Net;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Probes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A broker in a process of its own. It announces its address in its first line, <c>listening on 127.0.0.1:PORT</c>,
/// and ends when its standard input ends. The embedded broker runs this way, apart from the clients that measure it.
/// </summary>
internal sealed class ChildBroker(ChildProcess child) : IBrokerUnderTest
{
    private const string Announcement = "listening on ";

    /// <inheritdoc/>
    public required BrokerDescription Description { get; init; }

    /// <inheritdoc/>
    public required IPEndPoint Address { get; init; }

    /// <inheritdoc/>
    public required Credentials? Credentials { get; init; }

    /// <inheritdoc/>
    public int? ProcessId { get; private init; }

    /// <inheritdoc/>
    public string? Failure =>
        child.Exited.IsCompleted
            ? $"Broker {Description.Name} ended with exit code {child.Exited.Result}. {child.Output}"
            : null;

    /// <summary>Starts the program, and returns when it accepts a client.</summary>
    /// <param name="command">The program.</param>
    /// <param name="description">Its known properties.</param>
    /// <param name="credentials">How to log in, or null.</param>
    /// <param name="timeout">How long it may take.</param>
    /// <param name="cancellation">Gives up, and stops it.</param>
    /// <exception cref="BrokerException">
    /// It does not start, announces no address, or does not accept a client.
    /// </exception>
    public static async Task<ChildBroker> StartAsync(
        BrokerCommand command,
        BrokerDescription description,
        Credentials? credentials,
        TimeSpan timeout,
        CancellationToken cancellation
    )
    {
        var child = ChildProcess.StartWatching(command);
        try
        {
            var address = await ReadAddressAsync(child, description.Name, timeout, cancellation);
            var problem = await Readiness.WaitAsync(
                child,
                new WireEndpoint(address),
                credentials,
                timeout,
                cancellation
            );
            if (problem is not null)
                throw new BrokerException($"Broker {description.Name} at {address} {problem}. {child.Output}");
            return new ChildBroker(child)
            {
                Description = description,
                Address = address,
                Credentials = credentials,
                ProcessId = await child.ProcessId.WaitAsync(cancellation),
            };
        }
        catch
        {
            await child.DisposeAsync();
            throw;
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => child.DisposeAsync();

    private static async Task<IPEndPoint> ReadAddressAsync(
        ChildProcess child,
        string name,
        TimeSpan timeout,
        CancellationToken cancellation
    )
    {
        string? line;
        try
        {
            line = await child.FirstLine.WaitAsync(timeout, cancellation);
        }
        catch (TimeoutException)
        {
            throw new BrokerException(
                $"Broker {name} announced no address within {timeout.TotalSeconds:0.#} s. {child.Output}"
            );
        }
        if (line is null)
            throw new BrokerException(
                $"Broker {name} ended with exit code {await child.Exited.WaitAsync(cancellation)} "
                    + $"before it announced an address. {child.Output}"
            );
        if (
            !line.StartsWith(Announcement, StringComparison.Ordinal)
            || !IPEndPoint.TryParse(line.AsSpan(Announcement.Length).Trim(), out var address)
        )
            throw new BrokerException(
                $"Broker {name} announced no address: its first line "
                    + $"has to be '{Announcement}ADDRESS:PORT'. {child.Output}"
            );
        return address;
    }
}
