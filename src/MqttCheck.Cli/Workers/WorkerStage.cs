using System.Net;
using MqttCheck.Cli.Serve;
using MqttCheck.Cli.Terminal;
using MqttCheck.Statistics;
using MqttCheck.Verification.Deciding;
using MqttCheck.Workers.Coordinating;
using MqttCheck.Workers.Hosting;
using MqttCheck.Workers.Joining;
using static System.FormattableString;

namespace MqttCheck.Cli.Workers;

/// <summary>The stages of the verbs <c>worker</c> and <c>workers</c>.</summary>
internal static class WorkerStage
{
    /// <summary>Computes until it is interrupted.</summary>
    /// <exception cref="InputException">A value is not allowed.</exception>
    /// <exception cref="WorkerException">The worker cannot join, or was taken for dead.</exception>
    public static async Task<Conclusion> ServeAsync(
        string join,
        int slots,
        IPAddress listen,
        int? port,
        string? certificate,
        Screen screen,
        Interruption interruption
    )
    {
        var address = WorkerAddress.Parse(join, "--join");
        var options = new WorkerOptions
        {
            Join = address,
            Slots = slots,
            Listen = listen,
            Port = port,
            Security = WorkerPoolStage.Security(certificate),
        };
        await using var worker = await WorkerHost.StartAsync(options, WorkerJobs.Catalogue(), interruption.Orderly);
        screen.Line(
            Invariant($"worker {worker.Coordinators}: {slots} slot{(slots == 1 ? "" : "s")}, joined {address.Text}")
        );
        if (worker.IsFirst)
            screen.Line("It keeps the list of workers, so it must run as long as any of them.");
        screen.Line(Invariant($"use it:  mqttcheck predict --model FILE --workers {address.Text}"));
        screen.Serve();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(interruption.Orderly, worker.Ended);
        await ServedBroker.Stopped(child: false, ended.Token);
        if (!interruption.Orderly.IsCancellationRequested)
            throw new WorkerException(
                "this worker has ended: the others took it for dead, because it did not answer for some seconds; "
                    + "start it again."
            );
        return Conclusion.Success;
    }

    /// <summary>Lists the workers.</summary>
    /// <exception cref="InputException">A value is not allowed.</exception>
    /// <exception cref="WorkerException">There is none that may be used.</exception>
    public static async Task<Conclusion> ListAsync(
        string join,
        string? certificate,
        Screen screen,
        Interruption interruption
    )
    {
        await using var runner = await WorkerShardRunner.ConnectAsync(
            WorkerAddress.Parse(join, "--join"),
            WorkerPoolStage.Security(certificate),
            WorkerJobs.Catalogue(),
            _ => { },
            text => screen.Warn(text),
            interruption.Orderly
        );
        await runner.SettleAsync(interruption.Orderly);
        var table = new TextTable("worker", "machine", "process", "version", "slots", "busy", "load", "clock offset");
        foreach (var worker in runner.Workers.Where(worker => worker.Refusal is null))
        {
            table.Add(
                worker.Address,
                worker.Machine,
                worker.ProcessId,
                worker.Version,
                worker.Slots,
                worker.Busy,
                TableCell.Of(worker.Load, double.IsNaN(worker.Load) ? "" : Invariant($"{worker.Load:0.00}")),
                TableCell.Of(
                    new Interval(
                        worker.OffsetMilliseconds - worker.OffsetBoundMilliseconds,
                        worker.OffsetMilliseconds + worker.OffsetBoundMilliseconds
                    ),
                    Invariant($"{worker.OffsetMilliseconds:0.00} ms +- {worker.OffsetBoundMilliseconds:0.00} ms")
                )
            );
        }
        table.Print(screen);
        screen.Warn(
            runner
                .Workers.Where(worker => worker.Refusal is not null)
                .Select(worker => $"worker at {worker.Address} is not used: {worker.Refusal}.")
        );
        return Conclusion.Success;
    }
}
