using MqttCheck.App.Progress;
using MqttCheck.Text;
using Spectre.Console;
using Spectre.Console.Rendering;
using static System.FormattableString;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// Everything that a command shows: results on standard output; progress, warnings and errors on standard error, so
/// that results can be piped. On a terminal long work shows a line that changes; redirected, it shows plain lines.
/// </summary>
internal sealed class Screen : IWorkProgress
{
    // A table drawn over a narrower terminal is a heap of broken lines.
    private const int PlainWidth = 160;

    private readonly Lock _gate = new();
    private readonly bool _interactive;
    private readonly ProgressLine _progress;

    /// <summary>A screen over given streams.</summary>
    /// <param name="interactive">Whether <paramref name="error"/> is a terminal that can be drawn over.</param>
    /// <param name="time">The clock that paces progress lines.</param>
    public Screen(TerminalStream output, TerminalStream error, bool interactive, TimeProvider time)
    {
        Output = output;
        Error = error;
        _interactive = interactive;
        Time = time;
        _progress = new(interactive, () => error.Console.Value.Profile.Width, error.Writer.Write, time, _gate);
    }

    /// <summary>For results.</summary>
    public TerminalStream Output { get; }

    /// <summary>For progress, warnings and errors.</summary>
    public TerminalStream Error { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; }

    /// <summary>How much is said beside the result.</summary>
    public Verbosity Verbosity
    {
        get;
        set
        {
            field = value;
            _progress.Suspend(value == Verbosity.Quiet);
        }
    } = Verbosity.Normal;

    /// <summary>Whether details are wanted.</summary>
    public bool IsVerbose => Verbosity == Verbosity.Verbose;

    /// <summary>Takes what is a result instead of printing it as text; null to print it.</summary>
    public ResultJson? Json { get; set; }

    /// <summary>The screen of this process.</summary>
    public static Screen OfProcess() =>
        Of(
            Environment.GetEnvironmentVariable,
            (System.Console.Out, System.Console.IsOutputRedirected),
            (System.Console.Error, System.Console.IsErrorRedirected),
            TimeProvider.System
        );

    /// <summary>The screen of an environment.</summary>
    /// <param name="variable">The value of an environment variable, or null.</param>
    /// <param name="output">Standard output, and whether it goes elsewhere than to a terminal.</param>
    /// <param name="error">Standard error, likewise.</param>
    public static Screen Of(
        Func<string, string?> variable,
        (TextWriter Writer, bool IsRedirected) output,
        (TextWriter Writer, bool IsRedirected) error,
        TimeProvider time
    )
    {
        // The log of a build keeps every line that is drawn over, whatever it calls itself.
        var isLog = IsSet(variable("CI")) || variable("TERM") == "dumb";
        var hasColors = !IsSet(variable("NO_COLOR")) && !isLog;
        return new(
            Create(output.Writer, output.IsRedirected || isLog, hasColors),
            Create(error.Writer, error.IsRedirected || isLog, hasColors),
            !error.IsRedirected && !isLog,
            time
        );
    }

    /// <summary>Prints one line of a result, as it is: never wrapped, never coloured.</summary>
    public void Line(string text = "")
    {
        if (Json is { } json)
            json.Add(text);
        else
            Write(Output, text);
    }

    /// <summary>Prints lines of a result, as <see cref="Line"/> does.</summary>
    public void Lines(IEnumerable<string> texts)
    {
        foreach (var text in texts)
            Line(text);
    }

    /// <summary>Prints warnings, as all sentences about the work in lines that fit a terminal.</summary>
    public void Warn(params IEnumerable<string> texts)
    {
        foreach (var text in texts)
        {
            Json?.Warn(text);
            Remark("yellow", "warning: ", text);
        }
    }

    /// <summary>Prints an error.</summary>
    public void Fail(string text) => Remark("red", "error: ", text);

    /// <summary>Prints a remark about what is going on.</summary>
    public void Note(string text)
    {
        if (Verbosity != Verbosity.Quiet)
            Write(Error, Fitted(text));
    }

    /// <summary>Says that a result is partial where the user interrupted the work.</summary>
    public void NotePartial(bool isInterrupted)
    {
        if (isInterrupted)
            Note("interrupted: the result is partial");
    }

    /// <summary>Prints a remark that only those want to read who ask for details; the report has it anyway.</summary>
    public void Detail(string text)
    {
        if (IsVerbose)
            Write(Error, Fitted(text));
    }

    /// <summary>Says how far the command is, or the stage that goes on.</summary>
    /// <param name="share">The share done, 0 to 1; NaN if that is not known.</param>
    /// <param name="detail">A few words.</param>
    public void Report(double share, string detail) => _progress.Report(share, detail);

    /// <summary>Says how much of what was reported last is done.</summary>
    /// <param name="words">A number and what it counts.</param>
    public void Count(string words) => _progress.Count(words);

    /// <summary>Says that it goes on until it is interrupted, so that there is no progress to show.</summary>
    public void Serve()
    {
        _progress.Suspend();
        Json?.Print(this);
    }

    /// <summary>Does a command; where it takes long, it is shown that it goes on.</summary>
    /// <param name="name">Its name.</param>
    public Task<TResult> WatchAsync<TResult>(string name, Func<Task<TResult>> work) => StageAsync(name, work, null);

    /// <summary>Does long work under a progress display, and says in a line how it ended.</summary>
    /// <param name="title">The present work, in a few words.</param>
    /// <param name="work">
    /// The work; it reports its share done (0 .. 1) and a few words of detail, from any thread.
    /// </param>
    /// <param name="outcome">The result in a few words; null where only long work is worth a line.</param>
    public Task<TResult> ProgressAsync<TResult>(
        string title,
        Func<Action<double, string>, Task<TResult>> work,
        Func<TResult, string>? outcome = null
    ) => StageAsync(title, () => work(_progress.Report), outcome ?? (_ => ""));

    /// <summary>
    /// Does long work under a picture of its state that changes while it goes on; redirected, it shows the progress in
    /// lines.
    /// </summary>
    /// <param name="title">The present work, in a few words.</param>
    /// <param name="work">The work; it gives the picture, again and again.</param>
    /// <param name="outcome">The result in a few words.</param>
    public Task<TResult> LiveAsync<TResult>(
        string title,
        Func<Action<LiveView>, Task<TResult>> work,
        Func<TResult, string>? outcome = null
    ) =>
        StageAsync(
            title,
            () =>
                _interactive && Verbosity != Verbosity.Quiet
                    ? DrawAsync(title, work)
                    : work(view =>
                    {
                        foreach (var line in view.Details)
                            Detail(line);
                        _progress.Report(view.Share, view.Summary);
                    }),
            outcome ?? (_ => "")
        );

    private async Task<TResult> DrawAsync<TResult>(string title, Func<Action<LiveView>, Task<TResult>> work)
    {
        _progress.Suspend();
        try
        {
            return await Error
                .Console.Value.Live(new Spectre.Console.Text($"{title} ..."))
                .AutoClear(true)
                .Overflow(VerticalOverflow.Ellipsis)
                .StartAsync(async context =>
                {
                    var drawn = Time.GetTimestamp();
                    var share = 0.0;
                    return await work(view =>
                    {
                        share = Math.Max(share, view.Share);
                        // Events are drawn at once, progress at most ten times a second.
                        if (view.Details.Count == 0 && Time.GetElapsedTime(drawn) < TimeSpan.FromMilliseconds(100))
                            return;
                        drawn = Time.GetTimestamp();
                        context.UpdateTarget(
                            new Rows(
                                view.Picture(Error.Console.Value.Profile.Width),
                                new Spectre.Console.Text($"{NumberText.ShareDone(share)}  {view.Summary}")
                            )
                        );
                    });
                });
        }
        finally
        {
            _progress.Suspend(false);
        }
    }

    private async Task<TResult> StageAsync<TResult>(
        string title,
        Func<Task<TResult>> work,
        Func<TResult, string>? outcome
    )
    {
        _progress.Begin(title);
        string? words = null;
        try
        {
            var result = await work();
            words = outcome?.Invoke(result);
            return result;
        }
        finally
        {
            var (elapsed, wasShown) = _progress.End();
            if (words is not null && (words.Length > 0 || wasShown))
                Note($"{title}: {(words.Length > 0 ? words : "done")}, {NumberText.Seconds(elapsed)}");
        }
    }

    private void Remark(string color, string kind, string text)
    {
        lock (_gate)
        {
            _progress.MakeRoom();
            Error.Console.Value.Markup($"[{color}]{kind.TrimEnd()}[/] ");
            Error.Writer.WriteLine(Fitted(Printable.Message(text), kind.Length));
        }
    }

    // In a pipe or a log a sentence is one line, which tools can search.
    private string Fitted(string text, int before = 0) =>
        _interactive ? Prose.Wrapped(text, Error.Console.Value.Profile.Width, before) : text;

    private void Write(TerminalStream stream, string text)
    {
        lock (_gate)
        {
            _progress.MakeRoom();
            stream.Writer.WriteLine(Printable.Text(text));
        }
    }

    private static bool IsSet(string? value) => value is not (null or "" or "0" or "false");

    /// <summary>A stream over a writer.</summary>
    /// <param name="isPlain">Whether nothing but text is written, with room for a wide table.</param>
    public static TerminalStream Create(TextWriter writer, bool isPlain, bool hasColors) =>
        new(writer, new(() => Console(writer, isPlain, hasColors)));

    private static IAnsiConsole Console(TextWriter writer, bool isPlain, bool hasColors)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                // Spectre guesses from TERM, not from redirection, and would write cursor codes into files.
                Ansi = isPlain ? AnsiSupport.No : AnsiSupport.Detect,
                ColorSystem = isPlain || !hasColors ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect,
                Out = new AnsiConsoleOutput(writer),
            }
        );
        if (isPlain)
            console.Profile.Width = PlainWidth;
        return console;
    }
}
