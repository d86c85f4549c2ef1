using Spectre.Console;
using Spectre.Console.Rendering;
using static System.FormattableString;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// Everything that a command shows: results on standard output; progress, warnings and errors on standard error, so
/// that results can be piped. On a terminal long work shows a bar; redirected, it shows plain lines.
/// </summary>
internal sealed class Screen
{
    private readonly bool _interactive;
    private readonly TimeProvider _time;

    /// <summary>A screen over given consoles.</summary>
    /// <param name="interactive">Whether <paramref name="error"/> is a terminal that a bar can be drawn on.</param>
    /// <param name="time">The clock that paces progress lines.</param>
    public Screen(IAnsiConsole output, IAnsiConsole error, bool interactive, TimeProvider time)
    {
        Output = output;
        Error = error;
        _interactive = interactive;
        _time = time;
    }

    /// <summary>For results.</summary>
    public IAnsiConsole Output { get; }

    /// <summary>For progress, warnings and errors.</summary>
    public IAnsiConsole Error { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time => _time;

    /// <summary>The screen of this process.</summary>
    public static Screen OfProcess()
    {
        var output = Create(Console.Out, Console.IsOutputRedirected);
        var error = Create(Console.Error, Console.IsErrorRedirected);
        return new Screen(output, error, !Console.IsErrorRedirected, TimeProvider.System);
    }

    /// <summary>Prints one line of a result, as it is: never wrapped, never coloured.</summary>
    public void Line(string text = "") => Output.Profile.Out.Writer.WriteLine(text);

    /// <summary>Prints a warning.</summary>
    public void Warn(string text)
    {
        Error.Markup("[yellow]warning:[/] ");
        Note(text);
    }

    /// <summary>Prints an error.</summary>
    public void Fail(string text)
    {
        Error.Markup("[red]error:[/] ");
        Note(text);
    }

    /// <summary>Prints a remark about what is going on.</summary>
    public void Note(string text) => Error.Profile.Out.Writer.WriteLine(text);

    /// <summary>Does long work under a progress display.</summary>
    /// <param name="title">What is being done, a few words.</param>
    /// <param name="work">
    /// The work; it reports its share done (0 .. 1) and a few words of detail, from any thread.
    /// </param>
    public async Task<TResult> ProgressAsync<TResult>(string title, Func<Action<double, string>, Task<TResult>> work)
    {
        if (!_interactive)
            return await PlainProgressAsync(title, work);
        return await Error
            .Progress()
            .AutoClear(false)
            .HideCompleted(false)
            .Columns(
                new TaskDescriptionColumn { Alignment = Justify.Left },
                new ProgressBarColumn(),
                new PercentageColumn(),
                new ElapsedTimeColumn()
            )
            .StartAsync(async context =>
            {
                var task = context.AddTask(Markup.Escape(title), maxValue: 1);
                var result = await work(
                    (share, detail) =>
                    {
                        task.Value = share;
                        task.Description = Markup.Escape(detail.Length == 0 ? title : $"{title}: {detail}");
                    }
                );
                task.Value = 1;
                return result;
            });
    }

    /// <summary>
    /// Does long work under a picture of its state that changes while it goes on; redirected, lines are printed
    /// instead.
    /// </summary>
    /// <param name="title">What is being done, a few words.</param>
    /// <param name="work">
    /// The work; it gives the picture, and lines to print where there is no terminal, one after the other.
    /// </param>
    public async Task<TResult> LiveAsync<TResult>(
        string title,
        Func<Action<Func<IRenderable>, IReadOnlyList<string>>, Task<TResult>> work
    )
    {
        var started = _time.GetTimestamp();
        if (!_interactive)
        {
            Note($"{title} ...");
            var plain = await work(
                (_, lines) =>
                {
                    foreach (var line in lines)
                        Note(line);
                }
            );
            Note(Invariant($"{title}: done in {_time.GetElapsedTime(started).TotalSeconds:0.0} s"));
            return plain;
        }
        return await Error
            .Live(new Spectre.Console.Text($"{title} ..."))
            .Overflow(VerticalOverflow.Ellipsis)
            .StartAsync(async context =>
            {
                var drawn = started;
                return await work(
                    (picture, lines) =>
                    {
                        // What has happened is drawn at once, what goes on ten times a second.
                        if (lines.Count == 0 && _time.GetElapsedTime(drawn) < TimeSpan.FromMilliseconds(100))
                            return;
                        drawn = _time.GetTimestamp();
                        context.UpdateTarget(picture());
                    }
                );
            });
    }

    private async Task<TResult> PlainProgressAsync<TResult>(
        string title,
        Func<Action<double, string>, Task<TResult>> work
    )
    {
        var started = _time.GetTimestamp();
        var printed = started;
        var gate = new Lock();
        Note($"{title} ...");
        var result = await work(
            (share, detail) =>
            {
                lock (gate)
                {
                    if (_time.GetElapsedTime(printed) < TimeSpan.FromSeconds(5))
                        return;
                    printed = _time.GetTimestamp();
                    Note(Invariant($"{title}: {share:P0} {detail}").TrimEnd());
                }
            }
        );
        Note(Invariant($"{title}: done in {_time.GetElapsedTime(started).TotalSeconds:0.0} s"));
        return result;
    }

    private static IAnsiConsole Create(TextWriter writer, bool redirected)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings
            {
                // Spectre guesses from TERM, not from redirection, and would write cursor codes into files.
                Ansi = redirected ? AnsiSupport.No : AnsiSupport.Detect,
                ColorSystem = redirected ? ColorSystemSupport.NoColors : ColorSystemSupport.Detect,
                Out = new AnsiConsoleOutput(writer),
            }
        );
        if (redirected)
            console.Profile.Width = 160;
        return console;
    }
}
