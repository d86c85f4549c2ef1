namespace MqttCheck.App.Progress;

/// <summary>
/// The one who is told how a use case goes on: the terminal, the page or a test. Its members are called on any thread.
/// </summary>
internal interface IWorkProgress
{
    /// <summary>Says how far the work is that goes on.</summary>
    /// <param name="share">The share done, 0 to 1; NaN if that is not known.</param>
    /// <param name="activity">A few words.</param>
    void Report(double share, string activity);

    /// <summary>Says how much of what was reported last is done.</summary>
    /// <param name="words">A number and what it counts.</param>
    void Count(string words);

    /// <summary>Says what the user should act on.</summary>
    void Warn(params IEnumerable<string> texts);

    /// <summary>Says something about what is going on.</summary>
    void Note(string text);

    /// <summary>Says something that only those want to read who ask for details.</summary>
    void Detail(string text);

    /// <summary>Does a stage, and says in a line how it ended.</summary>
    /// <param name="title">The stage, in a few words.</param>
    /// <param name="work">The work; it reports its share done and a few words.</param>
    /// <param name="outcome">The result in a few words; null where only long work is worth a line.</param>
    Task<TResult> ProgressAsync<TResult>(
        string title,
        Func<Action<double, string>, Task<TResult>> work,
        Func<TResult, string>? outcome = null
    );
}
