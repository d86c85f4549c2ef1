using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Engine;

/// <summary>
/// The general simulator: any network of stochastic timed automata, in virtual time. Checked and prepared once, then
/// run as often as needed; safe to share between threads.
/// </summary>
internal sealed class NetworkSimulator
{
    private readonly CompiledNetwork _compiled;

    /// <summary>Checks and prepares a network.</summary>
    /// <param name="network">The network.</param>
    /// <param name="options">How choices are made and when a run is given up.</param>
    /// <exception cref="InputException">The network is wrong: one finding per line, each with its place.</exception>
    public NetworkSimulator(AutomataNetwork network, NetworkOptions? options = null)
    {
        Network = network;
        Options = options ?? new();
        if (Options.MaximumSteps < 1)
            throw new InputException(
                FormattableString.Invariant(
                    $"bound on the steps of a run is {Options.MaximumSteps}; allowed: 1 or more"
                )
            );
        if (Options.MaximumStepsAtOnce < 1)
            throw new InputException(
                FormattableString.Invariant(
                    $"bound on the steps at once is {Options.MaximumStepsAtOnce}; allowed: 1 or more"
                )
            );
        _compiled = NetworkCompiler.Compile(network, Options.Observed);
    }

    /// <summary>The network.</summary>
    public AutomataNetwork Network { get; }

    /// <summary>How choices are made and when a run is given up.</summary>
    public NetworkOptions Options { get; }

    /// <summary>A run at its start. Automaton a of replication r draws from the stream (seed, r, a).</summary>
    /// <param name="seed">The seed.</param>
    /// <param name="replication">Number of the replication.</param>
    /// <exception cref="InputException">
    /// The network cannot begin: its first step or its invariants make no sense.
    /// </exception>
    public NetworkRun Start(ulong seed, ulong replication = 0)
    {
        var run = new NetworkRun(Options, _compiled);
        run.Restart(seed, replication);
        return run;
    }

    /// <summary>
    /// Prepares an expression over the shared variables and, as <c>automaton.variable</c>, the automata's own ones.
    /// </summary>
    /// <param name="expression">The expression.</param>
    /// <param name="where">The name of the place in messages.</param>
    /// <returns>Its value in a run; truth values are 1 and 0.</returns>
    /// <exception cref="InputException">A name is unknown, or a number is drawn.</exception>
    public Func<NetworkRun, double> Compile(Expression expression, string where) =>
        NetworkCompiler.Compile(Network, expression, where).Evaluate;

    /// <summary>
    /// Whether an expression reads a clock, shared or, as <c>automaton.clock</c>, an automaton's own.
    /// </summary>
    /// <param name="expression">The expression.</param>
    public bool ReadsClock(Expression expression)
    {
        var clocks = Network
            .Variables.Where(variable => variable.Type == VariableType.Clock)
            .Select(variable => variable.Name)
            .Concat(
                Network.Automata.SelectMany(automaton =>
                    automaton
                        .Variables.Where(variable => variable.Type == VariableType.Clock)
                        .Select(variable => $"{automaton.Name}.{variable.Name}")
                )
            )
            .ToHashSet(StringComparer.Ordinal);
        return ExpressionText.Names(expression).Any(clocks.Contains);
    }
}
