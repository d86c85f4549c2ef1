using System.Diagnostics;
using System.Globalization;
using MqttCheck.Automata.Networks;

namespace MqttCheck.Automata.Engine;

/// <summary>
/// Checks a network and replaces its names by places. Every error is noted with its place in the network.
/// </summary>
internal sealed class NetworkCompiler(AutomataNetwork network)
{
    // The position of a variable: among all values, or for an automaton's own variable relative to the first of them.
    // Automata that are alike can so share their code.
    private sealed record Place(VariableDeclaration Declaration, int At, int Shared, bool Own);

    private static readonly Dictionary<BinaryOperator, BinaryOperator> s_turned = new()
    {
        [BinaryOperator.Less] = BinaryOperator.Greater,
        [BinaryOperator.LessOrEqual] = BinaryOperator.GreaterOrEqual,
        [BinaryOperator.Greater] = BinaryOperator.Less,
        [BinaryOperator.GreaterOrEqual] = BinaryOperator.LessOrEqual,
        [BinaryOperator.Equal] = BinaryOperator.Equal,
    };

    private readonly AutomataNetwork _network = network;
    private readonly List<string> _errors = [];
    private readonly List<double> _initial = [];
    private readonly Dictionary<string, int> _places = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Place> _shared = new(StringComparer.Ordinal);

    /// <exception cref="InputException">The network is wrong; one finding per line.</exception>
    public static CompiledNetwork Compile(AutomataNetwork network, IReadOnlyCollection<string> observed) =>
        new NetworkCompiler(network).Compile(observed);

    /// <summary>
    /// A condition or quantity over the shared variables and, as <c>automaton.variable</c>, the automata's own.
    /// </summary>
    /// <exception cref="InputException">A name is unknown, or a number is drawn.</exception>
    public static NetworkNode Compile(AutomataNetwork network, Expression expression, string where)
    {
        var compiler = new NetworkCompiler(network);
        compiler.PlaceVariables();
        var scope = new Dictionary<string, Place>(compiler._shared, StringComparer.Ordinal);
        foreach (var (name, place) in compiler._own)
            scope.TryAdd(name, place);
        if (ExpressionText.Draws(expression))
            compiler._errors.Add($"{where}: {expression} draws a random number; allowed: an expression without one");
        var node = compiler.Node(expression, scope, where);
        compiler.ThrowIfAny();
        return node;
    }

    /// <summary>The value of an expression without variables and random numbers, null for any other.</summary>
    public static double? ConstantOf(Expression expression)
    {
        if (ExpressionText.Names(expression).Any() || ExpressionText.Draws(expression))
            return null;
        var nothing = new AutomataNetwork { Name = "", Automata = [] };
        return new NetworkCompiler(nothing).Node(expression, [], "").ConstantValue;
    }

    private readonly Dictionary<string, Place> _own = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _first = new(StringComparer.Ordinal);

    private CompiledNetwork Compile(IReadOnlyCollection<string> observed)
    {
        PlaceVariables();
        foreach (var twice in _network.Automata.GroupBy(automaton => automaton.Name).Where(group => group.Count() > 1))
            _errors.Add($"automaton {twice.Key}: the name is given {twice.Count()} times; allowed: once");
        if (_network.Automata.Count == 0)
            _errors.Add($"network {_network.Name}: no automaton; allowed: at least one");
        var bodies = new Dictionary<StochasticTimedAutomaton, CompiledAutomaton>();
        var automata = _network
            .Automata.Select(automaton =>
            {
                var body = automaton with { Name = "" };
                if (!bodies.TryGetValue(body, out var compiled))
                    bodies.Add(body, compiled = Compile(automaton));
                return compiled with { Name = automaton.Name, First = _first[automaton.Name] };
            })
            .ToArray();
        var channels = automata
            .Select((automaton, number) => new Channel(null, [Part(automaton, number, null)], Alone: true))
            .Concat(_network.Synchronisations.Select(synchronisation => Compile(synchronisation, automata)))
            .ToArray();
        _errors.AddRange(
            observed
                .Where(name => !_shared.ContainsKey(name))
                .Select(unknown =>
                    $"network {_network.Name}: there is no shared variable {unknown} "
                    + $"to observe; allowed: {string.Join(", ", _shared.Keys)}"
                )
        );
        ThrowIfAny();
        var partsBefore = 0;
        for (var number = 0; number < channels.Length; number++)
        {
            channels[number] = channels[number] with { First = partsBefore };
            partsBefore += channels[number].Parts.Length;
        }

        NoteChannels(automata, channels);
        var readers = Enumerable
            .Range(0, _shared.Count)
            .Select(id =>
                Enumerable
                    .Range(0, automata.Length)
                    .Where(number => automata[number].Locations.Any(location => location.Reads.Contains(id)))
                    .ToArray()
            )
            .ToArray();
        return new(
            _network.Name,
            [.. _initial],
            _places,
            automata,
            channels,
            readers,
            Set(observed.Select(name => _shared[name].Shared))
        );
    }

    // Each automaton knows the channels in which it takes part.
    private static void NoteChannels(CompiledAutomaton[] automata, Channel[] channels)
    {
        for (var number = 0; number < automata.Length; number++)
        {
            int[] own =
            [
                .. Enumerable
                    .Range(0, channels.Length)
                    .Where(channel =>
                        channels[channel]
                            .Parts.Any(part => part.Automaton == number && part.Edges.Any(edges => edges.Length > 0))
                    ),
            ];
            automata[number] = automata[number] with { Channels = own };
        }
    }

    private SharedSet Set(IEnumerable<int> members) => new(_shared.Count, members);

    private static ChannelPart Part(CompiledAutomaton automaton, int number, string? action) =>
        new(
            number,
            [.. automaton.Locations.Select(location => location.Edges.Where(edge => edge.Action == action).ToArray())]
        );

    private void PlaceVariables()
    {
        foreach (var variable in _network.Variables)
            Declare(variable, _shared, variable.Name, _shared.Count, $"network {_network.Name}");
        foreach (var automaton in _network.Automata)
        {
            _first[automaton.Name] = _initial.Count;
            foreach (var variable in automaton.Variables)
                Declare(variable, _own, $"{automaton.Name}.{variable.Name}", -1, $"automaton {automaton.Name}");
        }
    }

    private void Declare(
        VariableDeclaration variable,
        Dictionary<string, Place> scope,
        string name,
        int shared,
        string where
    )
    {
        if (!scope.TryAdd(name, new(variable, _initial.Count, shared, Own: false)))
        {
            _errors.Add($"{where}: the variable {variable.Name} is declared twice; allowed: once");
            return;
        }
        if (variable.Length < 0)
            _errors.Add(
                $"{where}: the array {variable.Name} has {variable.Length} elements; allowed: 0 (no array) or more"
            );
        if (variable.Type == VariableType.Clock && (variable.Length != 0 || variable.InitialValue != 0))
            _errors.Add($"{where}: the clock {variable.Name} is an array or does not begin at 0; allowed: neither");
        _places[name] = _initial.Count;
        for (var i = 0; i < Math.Max(1, variable.Length); i++)
            _initial.Add(variable.InitialValue);
    }

    private Channel Compile(Synchronisation synchronisation, CompiledAutomaton[] automata)
    {
        var where = $"synchronisation {synchronisation.Result}";
        var parts = new List<ChannelPart>();
        foreach (var (name, action) in synchronisation.Participants)
        {
            var number = Array.FindIndex(automata, automaton => automaton.Name == name);
            if (number < 0)
                _errors.Add(
                    $"{where}: there is no automaton {name}; allowed: "
                        + $"{string.Join(", ", automata.Select(automaton => automaton.Name))}"
                );
            else if (_network.Automata[number].Edges.All(edge => edge.Action != action))
                _errors.Add($"{where}: the automaton {name} has no edge with the action {action}");
            else if (parts.Exists(part => part.Automaton == number))
                _errors.Add($"{where}: the automaton {name} takes part twice; allowed: once");
            else
                parts.Add(Part(automata[number], number, action));
        }
        if (synchronisation.Participants.Count == 0)
            _errors.Add($"{where}: nobody takes part; allowed: at least one automaton");
        return new(synchronisation.Result, [.. parts], Alone: false);
    }

    private CompiledAutomaton Compile(StochasticTimedAutomaton automaton)
    {
        var scope = new Dictionary<string, Place>(_shared, StringComparer.Ordinal);
        foreach (var variable in automaton.Variables)
        {
            var place = _own[$"{automaton.Name}.{variable.Name}"];
            scope[variable.Name] = place with { At = place.At - _first[automaton.Name], Own = true };
        }
        var names = automaton
            .Locations.Select((location, index) => (location.Name, index))
            .GroupBy(pair => pair.Name)
            .ToDictionary(group => group.Key, group => group.First().index, StringComparer.Ordinal);
        var here = $"automaton {automaton.Name}";
        if (names.Count < automaton.Locations.Count)
            _errors.Add($"{here}: two locations have the same name; allowed: names that differ");
        if (!names.TryGetValue(automaton.InitialLocation, out var initial))
            _errors.Add($"{here}: there is no location {automaton.InitialLocation} to begin in");

        List<CompiledEdge>[] edges = [.. automaton.Locations.Select(_ => new List<CompiledEdge>())];
        for (var i = 0; i < automaton.Edges.Count; i++)
        {
            var edge = automaton.Edges[i];
            var where = string.Create(CultureInfo.InvariantCulture, $"{here}, edge {i} from {edge.Source}");
            if (names.TryGetValue(edge.Source, out var source))
                edges[source].Add(Compile(edge, i, scope, names, where));
            else
                _errors.Add($"{where}: there is no location {edge.Source}; allowed: {string.Join(", ", names.Keys)}");
        }

        var locations = automaton
            .Locations.Select(
                (location, index) =>
                {
                    var where = $"{here}, location {location.Name}";
                    var (after, until, condition) = Split(location.Invariant, scope, where);
                    if (after.Length > 0)
                        _errors.Add(
                            $"{where}: the invariant {location.Invariant} "
                                + $"bounds a clock from below; allowed: upper bounds"
                        );
                    var guards = automaton
                        .Edges.Where(edge => edge.Source == location.Name)
                        .SelectMany(edge => SharedNames(edge.Guard, scope));
                    return new CompiledLocation(
                        location.Name,
                        until,
                        condition,
                        [.. edges[index]],
                        Set(guards.Concat(SharedNames(location.Invariant, scope)))
                    );
                }
            )
            .ToArray();
        return new(automaton.Name, locations, initial, First: 0, []);
    }

    private CompiledEdge Compile(
        Edge edge,
        int number,
        Dictionary<string, Place> scope,
        Dictionary<string, int> locations,
        string where
    )
    {
        var (after, before, guard) = Split(edge.Guard, scope, where);
        if (edge.Destinations.Count == 0)
            _errors.Add($"{where}: no destination; allowed: at least one");
        var destinations = edge
            .Destinations.Select(destination =>
            {
                if (!locations.TryGetValue(destination.Location, out var target))
                    _errors.Add(
                        $"{where}: there is no location {destination.Location}; "
                            + $"allowed: {string.Join(", ", locations.Keys)}"
                    );
                if (ExpressionText.Draws(destination.Weight))
                    _errors.Add(
                        $"{where}: the weight {destination.Weight} draws a "
                            + $"random number; allowed: an expression without one"
                    );
                Assignment[] ordered = [.. destination.Assignments.OrderBy(assignment => assignment.Order)];
                return new CompiledDestination(
                    target,
                    Node(destination.Weight, scope, where),
                    [.. ordered.Select(assignment => Compile(assignment, scope, where))],
                    OneByOne(ordered),
                    ordered.All(assignment => scope.GetValueOrDefault(assignment.Variable) is { Shared: < 0 })
                );
            })
            .ToArray();
        var read = SharedNames(edge.Guard, scope)
            .Concat(
                edge.Destinations.SelectMany(destination =>
                    SharedNames(destination.Weight, scope)
                        .Concat(
                            destination.Assignments.SelectMany(assignment =>
                                SharedNames(assignment.Value, scope).Concat(SharedNames(assignment.Element, scope))
                            )
                        )
                )
            );
        var assigned = edge
            .Destinations.SelectMany(destination => destination.Assignments)
            .Select(assignment => scope.GetValueOrDefault(assignment.Variable)?.Shared ?? -1);
        int[] written = [.. assigned.Where(id => id >= 0).Distinct()];
        return new(number, edge.Action, after, before, guard, destinations, Set(read), Set(written), written);
    }

    /// <summary>
    /// Whether assignments, in the order of their groups, can be made one by one: none reads what an earlier one of its
    /// group assigns.
    /// </summary>
    public static bool OneByOne(Assignment[] ordered)
    {
        for (var i = 0; i < ordered.Length; i++)
        {
            for (var earlier = i - 1; earlier >= 0 && ordered[earlier].Order == ordered[i].Order; earlier--)
                if (
                    Reads(ordered[i].Value, ordered[earlier])
                    || (ordered[i].Element is { } element && Reads(element, ordered[earlier]))
                )
                    return false;
        }
        return true;
    }

    // Whether an expression reads what an assignment changes; elements with different constant indices are different.
    private static bool Reads(Expression expression, Assignment assignment) =>
        ExpressionText
            .Parts(expression)
            .Any(part =>
                part switch
                {
                    Expression.Variable variable => variable.Name == assignment.Variable,
                    Expression.Element { Index: Expression.Number read } element
                        when assignment.Element is Expression.Number written => element.Array == assignment.Variable
                        && read.Value == written.Value,
                    Expression.Element element => element.Array == assignment.Variable,
                    _ => false,
                }
            );

    private CompiledAssignment Compile(Assignment assignment, Dictionary<string, Place> scope, string where)
    {
        var value = Node(assignment.Value, scope, where);
        if (!scope.TryGetValue(assignment.Variable, out var place))
        {
            _errors.Add(
                $"{where}: there is no variable {assignment.Variable}; allowed: {string.Join(", ", scope.Keys)}"
            );
            // A stand-in: the errors are thrown before anything runs.
            place = new(new(assignment.Variable, VariableType.Real), 0, -1, Own: false);
        }
        var declaration = place.Declaration;
        if (declaration.Length > 0 != assignment.Element is not null)
            _errors.Add(
                $"{where}: {assignment.Variable} is "
                    + (declaration.Length > 0 ? "an array and is assigned as a whole" : "no array and has no element")
            );
        if (declaration.Type == VariableType.Clock && assignment.Value is not Expression.Number { Value: 0 })
            _errors.Add($"{where}: the clock {assignment.Variable} is set to {assignment.Value}; allowed: 0");
        _errors.AddRange(
            ExpressionText
                .Parts(assignment.Value)
                .OfType<Expression.Sample>()
                .Where(sample => sample.Parameters.Any(ExpressionText.Draws))
                .Select(sample =>
                    $"{where}: a parameter of {sample} draws a random number; allowed: expressions without one"
                )
        );
        var boolean = declaration.Type == VariableType.Boolean;
        return new(
            Name: assignment.Variable,
            Place: place.At,
            Own: place.Own,
            Length: declaration.Length,
            Element: assignment.Element is null ? null : Node(assignment.Element, scope, where),
            Value: value,
            Clock: declaration.Type == VariableType.Clock,
            Whole: boolean || declaration.Type == VariableType.Integer,
            Lower: declaration.LowerBound ?? (boolean ? 0 : double.NegativeInfinity),
            Upper: declaration.UpperBound ?? (boolean ? 1 : double.PositiveInfinity),
            Order: assignment.Order
        );
    }

    // A conjunction as lower bounds on clocks, upper bounds on clocks, and a condition without clocks.
    private (ClockBound[] After, ClockBound[] Before, NetworkNode? Condition) Split(
        Expression? expression,
        Dictionary<string, Place> scope,
        string where
    )
    {
        if (expression is null)
            return ([], [], null);
        if (ExpressionText.Draws(expression))
            _errors.Add($"{where}: {expression} draws a random number; allowed: a condition without one");
        var (after, before, rest) = (new List<ClockBound>(), new List<ClockBound>(), new List<NetworkNode>());
        foreach (var term in ExpressionText.Conjuncts(expression))
        {
            if (!ReadsClock(term, scope))
            {
                rest.Add(Node(term, scope, where));
                continue;
            }
            var comparison = Turned(term, scope);
            if (comparison is not { Left: Expression.Variable clock } || ReadsClock(comparison.Right, scope))
            {
                _errors.Add(
                    $"{where}: {term} is no bound on a clock; allowed: conjunctions of "
                        + $"CLOCK <= x, CLOCK >= x, CLOCK == x and conditions without clocks"
                );
                continue;
            }
            var bound = new ClockBound(
                scope[clock.Name].At,
                scope[clock.Name].Own,
                Node(comparison.Right, scope, where)
            );
            switch (comparison.Operator)
            {
                case BinaryOperator.GreaterOrEqual:
                    after.Add(bound);
                    break;
                case BinaryOperator.LessOrEqual:
                    before.Add(bound);
                    break;
                case BinaryOperator.Equal:
                    after.Add(bound);
                    before.Add(bound);
                    break;
                default:
                    _errors.Add($"{where}: {term} is a strict or unequal bound on a clock; allowed: <=, >= and ==");
                    break;
            }
        }
        var condition =
            rest.Count == 0
                ? null
                : rest.Aggregate((left, right) => new NetworkNode.Logic(BinaryOperator.And, left, right));
        return ([.. after], [.. before], condition);
    }

    // A comparison with the clock on the left.
    private static Expression.Binary? Turned(Expression term, Dictionary<string, Place> scope)
    {
        if (term is not Expression.Binary comparison)
            return null;
        if (comparison.Left is Expression.Variable left && IsClock(left.Name, scope))
            return comparison;
        return
            comparison.Right is Expression.Variable right
            && IsClock(right.Name, scope)
            && s_turned.TryGetValue(comparison.Operator, out var turned)
            ? new(turned, comparison.Right, comparison.Left)
            : null;
    }

    private static bool IsClock(string name, Dictionary<string, Place> scope) =>
        scope.GetValueOrDefault(name)?.Declaration.Type == VariableType.Clock;

    private static bool ReadsClock(Expression expression, Dictionary<string, Place> scope) =>
        ExpressionText.Names(expression).Any(name => IsClock(name, scope));

    private static IEnumerable<int> SharedNames(Expression? expression, Dictionary<string, Place> scope) =>
        expression is null
            ? []
            : ExpressionText
                .Names(expression)
                .Select(name => scope.GetValueOrDefault(name)?.Shared ?? -1)
                .Where(id => id >= 0);

    private NetworkNode Node(Expression expression, Dictionary<string, Place> scope, string where)
    {
        switch (expression)
        {
            case Expression.Number number:
                return new NetworkNode.Constant(number.Value);
            case Expression.Variable variable when scope.TryGetValue(variable.Name, out var place):
                return Read(variable.Name, place, where);
            case Expression.Element element when scope.TryGetValue(element.Array, out var place):
                if (place.Declaration.Length == 0)
                    _errors.Add($"{where}: {element.Array} is no array");
                return new NetworkNode.ReadElement(
                    element.Array,
                    place.At,
                    place.Own,
                    place.Declaration.Length,
                    Node(element.Index, scope, where)
                );
            case Expression.Variable or Expression.Element:
                var name = ExpressionText.Names(expression).First();
                _errors.Add($"{where}: there is no variable {name}; allowed: {string.Join(", ", scope.Keys)}");
                return new NetworkNode.Constant(0);
            case Expression.Unary unary:
                var operand = Node(unary.Operand, scope, where);
                var applied = new NetworkNode.Unary(unary.Operator, operand);
                return operand.ConstantValue is null ? applied : new NetworkNode.Constant(applied.Evaluate(null!));
            case Expression.Binary binary:
                var (left, right) = (Node(binary.Left, scope, where), Node(binary.Right, scope, where));
                var node = binary is { Operator: BinaryOperator.Power, Right: Expression.Number { Value: .5 } }
                    ? new NetworkNode.SquareRoot(left)
                    : Operations.Node(binary.Operator, left, right);
                // Constants need no run.
                return left.ConstantValue is null || right.ConstantValue is null
                    ? node
                    : new NetworkNode.Constant(node.Evaluate(null!));
            case Expression.Conditional conditional:
                var condition = Node(conditional.Condition, scope, where);
                var (then, otherwise) = (
                    Node(conditional.Then, scope, where),
                    Node(conditional.Otherwise, scope, where)
                );
                return condition.ConstantValue is { } known
                    ? (known != 0 ? then : otherwise)
                    : new NetworkNode.Conditional(condition, then, otherwise);
            case Expression.LawSample sample:
                return new NetworkNode.DrawLaw(sample.Law);
            case Expression.Sample sample:
                return Draw(sample, scope, where);
            default:
                throw new ArgumentException($"not an expression of this library: {expression}", nameof(expression));
        }
    }

    private NetworkNode Read(string name, Place place, string where)
    {
        if (place.Declaration.Length > 0)
            _errors.Add($"{where}: {name} is an array; allowed: one of its elements");
        return (place.Own, place.Declaration.Type == VariableType.Clock) switch
        {
            (true, true) => new NetworkNode.ReadOwnClock(place.At),
            (true, false) => new NetworkNode.ReadOwn(place.At),
            (false, true) => new NetworkNode.ReadClock(place.At),
            _ => new NetworkNode.Read(place.At),
        };
    }

    private NetworkNode Draw(Expression.Sample sample, Dictionary<string, Place> scope, string where)
    {
        if (sample.Parameters.Count != DistributionSampling.Parameters(sample.Distribution))
            _errors.Add(
                $"{where}: {sample} has {sample.Parameters.Count} parameters; "
                    + $"allowed: {DistributionSampling.Parameters(sample.Distribution)}"
            );
        return NetworkNode.Draw.Of(
            sample.Distribution,
            [.. sample.Parameters.Select(parameter => Node(parameter, scope, where))]
        );
    }

    private void ThrowIfAny() => InputException.ThrowIfAny(_errors.Distinct());
}
