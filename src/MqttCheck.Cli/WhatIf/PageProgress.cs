using MqttCheck.App.Progress;
using MqttCheck.App.Verify;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Cli.Results;
using MqttCheck.Cli.Terminal;
using MqttCheck.Cli.Verify;
using MqttCheck.Server.Live;
using static System.FormattableString;

namespace MqttCheck.Cli.WhatIf;

/// <summary>Tells a page how work on the live broker goes on.</summary>
/// <param name="time">The clock.</param>
/// <param name="show">Shows lines, or verdicts so far.</param>
internal sealed class PageProgress(TimeProvider time, Action<LiveProgress> show)
    : IWorkProgress,
        IProgress<VerificationProgress>
{
    private static readonly TimeSpan s_pause = TimeSpan.FromSeconds(5);

    // Neither a broker that is to start nor what follows the last stage may look as if all were done.
    private const double MostOfStages = .95;

    private readonly Lock _gate = new();
    private long _reported = time.GetTimestamp();
    private double _share;

    /// <inheritdoc/>
    public void Report(double share, string activity)
    {
        lock (_gate)
        {
            if (!double.IsNaN(share) && time.GetElapsedTime(_reported) < s_pause)
                return;
            _reported = time.GetTimestamp();
        }
        show(new(Whole(share), activity, [], []));
    }

    /// <inheritdoc/>
    public void Count(string words) { }

    /// <inheritdoc/>
    public void Warn(params IEnumerable<string> texts)
    {
        foreach (var text in texts)
            Note("warning: " + text);
    }

    /// <inheritdoc/>
    public void Note(string text) => show(new(double.NaN, "", [text], []));

    /// <inheritdoc/>
    public void Detail(string text) => Note(text);

    /// <inheritdoc/>
    public async Task<TResult> ProgressAsync<TResult>(
        string title,
        Func<Action<double, string>, Task<TResult>> work,
        Func<TResult, string>? outcome = null
    )
    {
        var began = time.GetTimestamp();
        var result = await work(Report);
        Note($"{title}: {outcome?.Invoke(result) ?? "done"}, {NumberText.Seconds(time.GetElapsedTime(began))}");
        return result;
    }

    /// <summary>Shows every run of a verification.</summary>
    public void Report(VerificationProgress value)
    {
        if (value.Moved.Count == 0)
            Report(value.Share, value.Detail);
        else
            show(
                new(
                    Whole(value.Share),
                    "",
                    [.. value.Moved.Select(VerificationDisplay.Line)],
                    [.. value.Verdicts.Select(verdict => ReportStage.Describe(new(verdict, TimeSpan.Zero), double.NaN))]
                )
            );
    }

    // The share of the whole work, which never falls; that of its long stage may be estimated anew.
    private double Whole(double share)
    {
        lock (_gate)
            return _share = Math.Max(_share, double.IsNaN(share) ? 0 : MostOfStages * Math.Clamp(share, 0, 1));
    }

    /// <summary>Shows a verification.</summary>
    public Task<VerificationResult> ShowAsync(
        PlannedVerification planned,
        Func<IProgress<VerificationProgress>, Task<VerificationResult>> verify
    ) => verify(this);
}
