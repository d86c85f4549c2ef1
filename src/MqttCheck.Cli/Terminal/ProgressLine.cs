using MqttCheck.Text;
using static System.FormattableString;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// How far the work is: on a terminal one line that is drawn again and again, redirected a plain line now and then. It
/// appears by itself after two seconds, whether or not the work says how far it is.
/// </summary>
/// <param name="isTerminal">Whether a line can be drawn over.</param>
/// <param name="width">How many columns the terminal has now.</param>
/// <param name="write">Writes text as it is; called with the gate held.</param>
/// <param name="gate">Guards everything that is written.</param>
internal sealed class ProgressLine(bool isTerminal, Func<int> width, Action<string> write, TimeProvider time, Lock gate)
{
    private const int BarWidth = 20;

    private static readonly TimeSpan s_silence = TimeSpan.FromSeconds(2);
    private static readonly TimeSpan s_often = TimeSpan.FromSeconds(5);
    private static readonly TimeSpan s_seldom = TimeSpan.FromSeconds(30);

    private readonly Stack<Activity> _activities = new();
    private long _lastLine;
    private bool _isDrawn;
    private bool _isSuspended;

    /// <summary>Begins work, which hides what it is a part of until it ends.</summary>
    /// <param name="title">The present work, in a few words.</param>
    public void Begin(string title)
    {
        lock (gate)
        {
            _lastLine = time.GetTimestamp();
            var activity = new Activity(title, _lastLine);
            _activities.Push(activity);
            var period = TimeSpan.FromMilliseconds(isTerminal ? 100 : 500);
            activity.Timer = time.CreateTimer(_ => Tick(activity), null, period, period);
        }
    }

    /// <summary>Ends the work that began last.</summary>
    /// <returns>How long it took, and whether a line of it was shown.</returns>
    public (TimeSpan Elapsed, bool WasShown) End()
    {
        lock (gate)
        {
            Erase();
            using var ended = _activities.Pop();
            return (time.GetElapsedTime(ended.Started), ended.WasShown);
        }
    }

    /// <summary>Says how far the work is that began last.</summary>
    /// <param name="share">
    /// Its share done, 0 to 1; NaN if that is not known. A smaller one than before is not shown.
    /// </param>
    /// <param name="detail">A few words.</param>
    public void Report(double share, string detail)
    {
        lock (gate)
        {
            if (!_activities.TryPeek(out var activity))
                return;
            activity.Report(share, Printable.Text(detail));
            if (!isTerminal)
                Tick(activity);
        }
    }

    /// <summary>Says how much is done of what was reported last.</summary>
    /// <param name="words">A number and what it counts.</param>
    public void Count(string words)
    {
        lock (gate)
            if (_activities.TryPeek(out var activity))
                activity.Count(words);
    }

    /// <summary>Draws nothing while something else is drawn, or while silence is as it should be.</summary>
    public void Suspend(bool isSuspended = true)
    {
        lock (gate)
        {
            Erase();
            _isSuspended = isSuspended;
        }
    }

    /// <summary>Makes room for a line of text; the gate is held.</summary>
    public void MakeRoom()
    {
        Erase();
        _lastLine = time.GetTimestamp();
    }

    private void Tick(Activity activity)
    {
        lock (gate)
        {
            // Work that is a part of it hides it.
            if (_isSuspended || !_activities.TryPeek(out var last) || last != activity)
                return;
            var elapsed = time.GetElapsedTime(activity.Started);
            if (isTerminal)
                Draw(activity, elapsed);
            else if (elapsed >= s_silence && time.GetElapsedTime(_lastLine) >= Pause(activity, elapsed))
            {
                _lastLine = time.GetTimestamp();
                activity.WasShown = true;
                write(activity.Plain(elapsed) + Environment.NewLine);
            }
        }
    }

    private static TimeSpan Pause(Activity activity, TimeSpan elapsed) =>
        !activity.WasShown ? s_silence
        : elapsed < TimeSpan.FromMinutes(1) ? s_often
        : s_seldom;

    private void Draw(Activity activity, TimeSpan elapsed)
    {
        if (elapsed < s_silence && double.IsNaN(activity.Share))
            return;
        activity.WasShown |= elapsed >= s_silence;
        var text = activity.OnTerminal(elapsed, BarWidth);
        // A line as wide as the terminal would begin the next one.
        var most = Math.Max(10, width() - 1);
        write("\r" + (text.Length > most ? string.Concat(text.AsSpan(0, most - 2), "..") : text) + "\u001b[K");
        _isDrawn = true;
    }

    private void Erase()
    {
        if (!_isDrawn)
            return;
        write("\r\u001b[K");
        _isDrawn = false;
    }

    private sealed class Activity(string title, long started) : IDisposable
    {
        private string _detail = "";
        private string _count = "";

        public long Started { get; } = started;

        public double Share { get; private set; } = double.NaN;

        public bool WasShown { get; set; }

        public ITimer? Timer { get; set; }

        public void Dispose() => Timer?.Dispose();

        // Work that is planned anew while it goes on may report less than before: what was shown stays.
        public void Report(double share, string detail)
        {
            _detail = detail;
            _count = "";
            if (!double.IsNaN(share))
                Share = Math.Max(double.IsNaN(Share) ? 0 : Share, Math.Clamp(share, 0, 1));
        }

        public void Count(string words) => _count = words;

        public string Plain(TimeSpan elapsed)
        {
            string[] parts = [Percent(), _detail, _count, NumberText.Seconds(elapsed)];
            return $"{title}: {string.Join(", ", parts.Where(part => part.Length > 0))}";
        }

        public string OnTerminal(TimeSpan elapsed, int barWidth)
        {
            var bar = double.IsNaN(Share)
                ? ""
                : "[" + new string('#', (int)(Share * barWidth)).PadRight(barWidth, '-') + $"] {Percent()}  ";
            var details = string.Join(", ", ((string[])[_detail, _count]).Where(part => part.Length > 0));
            return Invariant($"{title}  {bar}{(int)elapsed.TotalMinutes}:{elapsed.Seconds:00}  {details}").TrimEnd();
        }

        private string Percent() => double.IsNaN(Share) ? "" : NumberText.ShareDone(Share);
    }
}
